import { exponentOf, isCurrency } from '#shared/domain/currencies'
import { fromRate, parseRate, rateDecimals } from '#shared/domain/distance'
import { type Language, decimalSignOf, languages } from '#shared/domain/locales'
import { decimalToScaled, fromMinor, parseAmount } from '#shared/domain/money'

/** What a person's writing of an amount means: minor and major units of the currency, or why it means nothing. */
export type AmountInput =
  | { readonly kind: 'ok'; readonly amount_minor: number; readonly amount: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not_a_number' }
  | { readonly kind: 'too_precise' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'not_positive' }

/** What a person's writing of a rate means, in major units, or why it means nothing. */
export type RateInput = { readonly kind: 'ok'; readonly amount: number } | { readonly kind: Exclude<AmountInput['kind'], 'ok'> }

/** How an amount is written. */
export type AmountWriting = { readonly currency: string; readonly language: Language }

/** How a number is written. `decimals`: the most it can have. */
export type NumberWriting = { readonly language: Language; readonly decimals: number }

/** Where no currency is named, as in a filter across currencies, amounts have the decimals of most currencies. */
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
 * Reads an amount as people write it: `12,50` and `12.50` alike, grouped or not (`1.234,56`, `1,234.56`, `1 234,56`), with or
 * without the currency. If a text can mean two things (`1.000`), {@link isThousands} decides. Never rounds.
 */
export function parseAmountInput(text: string, { currency, language }: AmountWriting): AmountInput {
  const written = readWriting(text, { currency, language, decimals: exponentOf(currency) })
  if (written.kind !== 'decimal') return written
  const parsed = parseAmount(written.text, currency)
  if (parsed.kind !== 'ok') return parsed
  if (parsed.amount_minor <= 0) return { kind: 'not_positive' }
  return { ...parsed, amount: fromMinor(parsed.amount_minor, currency) }
}

/** Reads a rate as `parseAmountInput` reads an amount; it may have more decimals than the currency. */
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
 * Reads an amount for a comparison, by the same rule: a decimal with a point, as filters take it. `currency`: the one that the
 * list is narrowed to; undefined to compare amounts of every currency. Undefined if it is not an amount.
 */
export function parseFilterAmount(
  text: string,
  { currency, language }: { currency: string | undefined; language: Language },
): string | undefined {
  const decimals = currency === undefined ? usualDecimals : exponentOf(currency)
  const decimal = toDecimalText(withoutDecorations(text), { language, decimals })
  return decimal !== undefined && !decimal.startsWith('-') && decimalToScaled(decimal) !== undefined ? decimal : undefined
}

/** A decimal with a point, formatted for a language so that it is read again as the same number. */
export function writeDecimal(decimal: string, writing: NumberWriting): string {
  const text = withSign(decimal, writing.language)
  // Three decimals could be read as thousands; four cannot.
  return /[.,]\d{3}$/.test(text) && writing.decimals < 3 ? `${text}0` : text
}

/** The largest distance, in its unit. */
const longestDistance = 1_000_000

/** Reads a distance as people write it, in the form's unit; undefined if it is not one. */
export function parseDistance(text: string, language: Language): number | undefined {
  const decimal = toDecimalText(text.trim().replace(/\s*(km|mi)$/i, ''), { language, decimals: Infinity })
  const distance = decimal === undefined ? NaN : Number(decimal)
  return distance > 0 && distance <= longestDistance ? distance : undefined
}

/** A distance for an input field, in the language's notation. */
export function writeDistance(distance: number, language: Language): string {
  return withSign(String(distance), language)
}

/** Every number that a text may mean in any notation: a search knows neither language nor currency. Decimals with a point. */
export function decimalReadings(text: string): string[] {
  const ways = languages.flatMap((language) => [3, usualDecimals].map((decimals) => ({ language, decimals })))
  return [...new Set(ways.map((way) => toDecimalText(text, way)))].filter((reading) => reading !== undefined)
}

/** The same number with a point before its decimals and nothing else; undefined if it is not a number. */
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
 * The rule for what can mean two things: three digits after the only separator are thousands (`1.000` and `1,000` are a thousand),
 * unless the number may have three decimals and the separator is the one that the language writes decimals with.
 */
function isThousands(digits: string, separator: string, { language, decimals }: NumberWriting): boolean {
  const isDecimalSeparator = separator === decimalSignOf(language)
  return isGrouped(digits, separator) && !digits.startsWith('0') && !(decimals >= 3 && isDecimalSeparator)
}

/** An amount for an input field: exactly the currency's decimals, in the language's notation, without groups. */
export function writeAmount(amount: number, { currency, language }: AmountWriting): string {
  return withSign(amount.toFixed(exponentOf(currency)), language)
}

/** A decimal with a point, with the language's decimal sign. */
function withSign(decimal: string, language: Language): string {
  return decimal.replace('.', decimalSignOf(language))
}
