import type { Row } from '#db/schema'
import { type Language, contractLocales, defaultLanguage, languages } from '#shared/domain/locales'

type Stored = Pick<Row<'users'>, 'locale' | 'language'>

/** The language that a user chose; if a newer program stored one that this program lacks, the `locale` applies. */
export function languageOf({ locale, language }: Stored): Language {
  return languages.find((code) => code === language) ?? locale
}

/** How a language is stored: as a `locale` of the contract, and by its own code where the contract does not have it. */
export function toStoredLanguage(language: Language): Stored {
  const locale = contractLocales.find((code) => code === language)
  return locale === undefined ? { locale: defaultLanguage, language } : { locale, language: null }
}
