/** What Outlay knows of a language. Its texts lie in `src-shared/i18n/<code>`. */
export type Locale = {
  /** Its own name. */
  readonly name: string
  /** The BCP 47 tag whose formats `Intl` gives: one that writes the day before the month, and hours to 23. */
  readonly tag: string
  /** The currency that the form of a new organization begins with. */
  readonly currency: string
}

/** Every language of Outlay by its code, one line each, in the order in which they are offered. */
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

/** The languages that the published API names (contract 2.17 and 4.17). */
export const contractLocales = ['en', 'pt'] as const satisfies readonly Language[]

/** A `locale` of the published API. */
export type ContractLocale = (typeof contractLocales)[number]

/** What is spoken where nobody chose: the system default of the contract (4.17). */
export const defaultLanguage = 'en' satisfies ContractLocale

/** What Outlay knows of a language. */
export function localeOf(language: Language): Locale {
  return list[language]
}

/** The language of Outlay that a BCP 47 tag such as `es-MX` belongs to; undefined when it is none of them. */
export function languageOfTag(tag: string): Language | undefined {
  const code = tag.toLowerCase().split('-')[0] ?? ''
  return isLanguage(code) ? code : undefined
}

/** How pages and messages name their language: the tag without its preferences. */
export function pageLanguageOf(language: Language): string {
  return new Intl.Locale(list[language].tag).baseName
}

const decimalSigns = new Map<Language, string>()

/** The sign before the decimals of a number, as `Intl` has it: a point or a comma. */
export function decimalSignOf(language: Language): string {
  const known = decimalSigns.get(language)
  if (known !== undefined) return known
  const parts = new Intl.NumberFormat(list[language].tag).formatToParts(0.5)
  const sign = parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  decimalSigns.set(language, sign)
  return sign
}
