import { exponentOf, isCurrency } from '#shared/domain/currencies'
import { fromRate, parseRate, rateDecimals } from '#shared/domain/distance'
import { type Language, decimalSignOf, languages } from '#shared/domain/locales'
import { decimalToScaled, fromMinor, parseAmount } from './money'

/** A parsed amount: minor and major units of the currency, or why the text is not an amount. */
export type AmountInput =
  | { readonly kind: 'ok'; readonly amount_minor: number; readonly amount: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not_a_number' }
  | { readonly kind: 'too_precise' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'not_positive' }

/** A parsed rate in major units, or why the text is not a rate. */
export type RateInput = { readonly kind: 'ok'; readonly amount: number } | { readonly kind: Exclude<AmountInput['kind'], 'ok'> }

/** The notation of an amount. */
export type AmountWriting = { readonly currency: string; readonly language: Language }

/** The notation of a number. `decimals`: the most it can have. */
export type NumberWriting = { readonly language: Language; readonly decimals: number }

/** The decimals of most currencies, used without a currency, as in a filter across currencies. */
export const usualDecimals = 2

const decorations = /\p{Sc}|R(?=\$)|[\s\u00a0\u202f']/gu

function withoutDecorations(text: string): string {
  const upper = text.trim().toUpperCase()
  const code = /^[A-Z]{3}(?![A-Z])|(?<![A-Z])[A-Z]{3}$/.exec(upper)?.[0] ?? ''
  return (isCurrency(code) ? upper.replace(code, '') : upper).replace(decorations, '').replace('\u2212', '-')
}

/** The currency code in a typed amount: `BRL 1.000`; undefined if there is none. */
function codeIn(text: string): string | undefined {
  const code = /[A-Z]{3}/.exec(text.toUpperCase())?.[0] ?? ''
  return isCurrency(code) ? code : undefined
}

/**
 * Parses an amount as people write it: `12,50` or `12.50`, with or without groups (`1.234,56`, `1,234.56`, `1 234,56`) and currency. For ambiguous
 * texts (`1.000`), {@link isThousands} decides. Never rounds.
 */
export function parseAmountInput(text: string, { currency, language }: AmountWriting): AmountInput {
  const written = readWriting(text, { currency, language, decimals: exponentOf(currency) })
  if (written.kind !== 'decimal') return written
  const parsed = parseAmount(written.text, currency)
  if (parsed.kind !== 'ok') return parsed
  if (parsed.amount_minor <= 0) return { kind: 'not_positive' }
  return { ...parsed, amount: fromMinor(parsed.amount_minor, currency) }
}

/** Parses a rate like `parseAmountInput` does an amount; it may have more decimals than the currency. */
export function parseRateInput(text: string, { currency, language }: AmountWriting): RateInput {
  const written = readWriting(text, { currency, language, decimals: rateDecimals })
  if (written.kind !== 'decimal') return written
  const parsed = parseRate(written.text, currency)
  return parsed.kind === 'ok' ? { kind: 'ok', amount: fromRate({ ...parsed, currency }) } : { kind: parsed.kind }
}

type Written = { readonly kind: 'decimal'; readonly text: string } | { readonly kind: 'empty' | 'not_a_number' }

function readWriting(text: string, { currency, ...writing }: NumberWriting & { readonly currency: string }): Written {
  const named = codeIn(text)
  if (named !== undefined && named !== currency) return { kind: 'not_a_number' }
  const bare = withoutDecorations(text)
  if (bare === '') return text.trim() === '' ? { kind: 'empty' } : { kind: 'not_a_number' }
  const decimal = toDecimalText(bare, writing)
  return decimal === undefined ? { kind: 'not_a_number' } : { kind: 'decimal', text: decimal }
}

/**
 * Parses an amount for a filter, by the same rules, into a decimal with a point. `currency`: the list's currency; undefined to compare amounts of
 * every currency. Undefined if it is not an amount.
 */
export function parseFilterAmount(
  text: string,
  { currency, language }: { currency: string | undefined; language: Language },
): string | undefined {
  const decimals = currency === undefined ? usualDecimals : exponentOf(currency)
  const decimal = toDecimalText(withoutDecorations(text), { language, decimals })
  return decimal !== undefined && !decimal.startsWith('-') && decimalToScaled(decimal) !== undefined ? decimal : undefined
}

/** Writes a decimal with a point in a language, so that it parses to the same number. */
export function writeDecimal(decimal: string, writing: NumberWriting): string {
  const text = withSign(decimal, writing.language)
  // Three decimals could be read as thousands; four cannot.
  return /[.,]\d{3}$/.test(text) && writing.decimals < 3 ? `${text}0` : text
}

/** The largest distance, in its unit. */
const longestDistance = 1_000_000

/** Parses a distance as people write it, in the form's unit; undefined if it is not one. */
export function parseDistance(text: string, language: Language): number | undefined {
  const decimal = toDecimalText(text.trim().replace(/\s*(km|mi)$/i, ''), { language, decimals: Infinity })
  const distance = decimal === undefined ? NaN : Number(decimal)
  return distance > 0 && distance <= longestDistance ? distance : undefined
}

/** Writes a distance for an input field, in the language's notation. */
export function writeDistance(distance: number, language: Language): string {
  return withSign(String(distance), language)
}

/** Every number that a text may mean in any notation, as a search knows neither language nor currency. Decimals with a point. */
export function decimalReadings(text: string): string[] {
  const ways = languages.flatMap((language) => [3, usualDecimals].map((decimals) => ({ language, decimals })))
  return [...new Set(ways.map((way) => toDecimalText(text, way)))].filter((reading) => reading !== undefined)
}

/** The same number with a decimal point and no groups; undefined if it is not a number. */
export function toDecimalText(text: string, writing: NumberWriting): string | undefined {
  const [, sign = '', digits = ''] = /^(-?)([\d.,]+)$/.exec(text) ?? []
  if (!/\d/.test(digits)) return undefined
  const separators = [...digits].filter((character) => character === '.' || character === ',')
  const last = separators.at(-1)
  if (last === undefined) return sign + digits
  if (new Set(separators).size === 2) return separators.indexOf(last) === separators.length - 1 ? read(sign, digits, last) : undefined
  if (separators.length > 1) return isGrouped(digits, last) ? sign + digits.replaceAll(last, '') : undefined
  return isThousands(digits, last, writing) ? sign + digits.replace(last, '') : read(sign, digits, last)
}

function read(sign: string, digits: string, decimalSeparator: string): string | undefined {
  const [whole = '', fraction = ''] = digits.split(decimalSeparator)
  const group = decimalSeparator === '.' ? ',' : '.'
  if (whole.includes(group) && !isGrouped(whole, group)) return undefined
  return `${sign}${whole.replaceAll(group, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`
}

function isGrouped(digits: string, separator: string): boolean {
  const [first = '', ...groups] = digits.split(separator)
  return /^\d{1,3}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
}

/**
 * Decides ambiguous numbers: three digits after the only separator are thousands (`1.000` and `1,000` are a thousand), unless the number may have
 * three decimals and the separator is the language's decimal sign.
 */
function isThousands(digits: string, separator: string, { language, decimals }: NumberWriting): boolean {
  const isDecimalSeparator = separator === decimalSignOf(language)
  return isGrouped(digits, separator) && !digits.startsWith('0') && !(decimals >= 3 && isDecimalSeparator)
}

/** Writes an amount for an input field: with the currency's decimals, in the language's notation, without groups. */
export function writeAmount(amount: number, { currency, language }: AmountWriting): string {
  return withSign(amount.toFixed(exponentOf(currency)), language)
}

/** Replaces the point of a decimal with the language's decimal sign. */
function withSign(decimal: string, language: Language): string {
  return decimal.replace('.', decimalSignOf(language))
}
