/** The facts about a language. Its texts are in `src-shared/i18n/<code>`. */
export type Locale = {
  /** Its name in the language itself. */
  readonly name: string
  /** The BCP 47 tag for `Intl` formats: with the day before the month, and hours to 23. */
  readonly tag: string
  /** The default currency for a new organization. */
  readonly currency: string
}

/** Every language of Outlay by code, in the order in which they are offered. */
const list = {
  en: { name: 'English', tag: 'en-GB', currency: 'USD' },
  pt: { name: 'Português', tag: 'pt-BR', currency: 'BRL' },
  es: { name: 'Español', tag: 'es-AR-u-hc-h23', currency: 'USD' },
} as const satisfies Record<string, Locale>

/** The code of a language of Outlay (ISO 639-1). */
export type Language = keyof typeof list

function isLanguage(code: string): code is Language {
  return Object.hasOwn(list, code)
}

/** The codes of all languages, in the order in which they are offered. */
export const languages: readonly Language[] = Object.keys(list).filter(isLanguage)

/** The published API's languages (contract 2.17 and 4.17). */
export const contractLocales = ['en', 'pt'] as const satisfies readonly Language[]

/** A `locale` of the published API. */
export type ContractLocale = (typeof contractLocales)[number]

/** The default language: the contract's system default (4.17). */
export const defaultLanguage = 'en' satisfies ContractLocale

/** The facts about a language. */
export function localeOf(language: Language): Locale {
  return list[language]
}

/** Outlay's language for a BCP 47 tag such as `es-MX`; undefined if there is none. */
export function languageOfTag(tag: string): Language | undefined {
  const code = tag.toLowerCase().split('-')[0] ?? ''
  return isLanguage(code) ? code : undefined
}

/** The language tag of pages and messages: without preferences. */
export function pageLanguageOf(language: Language): string {
  return new Intl.Locale(list[language].tag).baseName
}

const decimalSigns = new Map<Language, string>()

/** A language's decimal sign, from `Intl`: a point or a comma. */
export function decimalSignOf(language: Language): string {
  const known = decimalSigns.get(language)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(list[language].tag).formatToParts(0.5)
  const sign = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  decimalSigns.set(language, sign)
  return sign
}
