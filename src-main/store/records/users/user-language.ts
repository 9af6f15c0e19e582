import type { Row } from '#db/schema'
import { type Language, contractLocales, defaultLanguage, languages } from '#shared/domain/locales'

type Stored = Pick<Row<'users'>, 'locale' | 'language'>

/** The language that a user chose. If a newer program stored one that this program lacks, `locale` applies. */
export function languageOf({ locale, language }: Stored): Language {
  return languages.find((code) => code === language) ?? locale
}

/** How a language is stored: as a contract `locale`, or with its own code if the contract lacks it. */
export function toStoredLanguage(language: Language): Stored {
  const locale = contractLocales.find((code) => code === language)
  return locale === undefined ? { locale: defaultLanguage, language } : { locale, language: null }
}
