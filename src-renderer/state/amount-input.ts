import { exponentOf } from '#shared/domain/currencies'
import { fromRate, parseRate } from '#shared/domain/distance'
import { fromMinor, parseAmount } from '#shared/domain/money'

/** What a person's writing of an amount means: minor and major units of the currency, or why it means nothing. */
export type AmountInput =
  | { readonly kind: 'ok'; readonly amount_minor: number; readonly amount: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not_a_number' }
  | { readonly kind: 'too_precise' }
  | { readonly kind: 'too_large' }
  | { readonly kind: 'not_positive' }

/** What a person's writing of a rate means, in major units, or why it means nothing. */
export type RateInput =
  | { readonly kind: 'ok'; readonly amount: number }
  | { readonly kind: Exclude<AmountInput['kind'], 'ok'> }

/** In whose way separators are read, where a text could mean two things. */
export type AmountWriting = { readonly currency: string; readonly language: 'en' | 'pt' }

const decorations = /\p{Sc}|R(?=\$)|[\s\u00a0\u202f']/gu

/**
 * Reads an amount as people write it: `12,50` and `12.50` alike, grouped or not (`1.234,56`, `1,234.56`, `1 234,56`), with or
 * without the currency beside it. Where a text can mean two things (`1.234`) the language decides. Never rounds.
 */
export function parseAmountInput(text: string, { currency, language }: AmountWriting): AmountInput {
  const written = readWriting(text, { currency, language, hasDecimals: exponentOf(currency) > 0 })
  if (written.kind !== 'decimal') return written
  const parsed = parseAmount(written.text, currency)
  if (parsed.kind !== 'ok') return parsed
  if (parsed.amount_minor <= 0) return { kind: 'not_positive' }
  return { ...parsed, amount: fromMinor(parsed.amount_minor, currency) }
}

/** Reads a rate as `parseAmountInput` reads an amount; it may have more decimals than the currency. */
export function parseRateInput(text: string, { currency, language }: AmountWriting): RateInput {
  const written = readWriting(text, { currency, language, hasDecimals: true })
  if (written.kind !== 'decimal') return written
  const parsed = parseRate(written.text, currency)
  return parsed.kind === 'ok' ? { kind: 'ok', amount: fromRate({ ...parsed, currency }) } : { kind: parsed.kind }
}

type Written = { readonly kind: 'decimal'; readonly text: string } | { readonly kind: 'empty' | 'not_a_number' }

function readWriting(text: string, { currency, ...writing }: AmountWriting & { readonly hasDecimals: boolean }): Written {
  const bare = text
    .trim()
    .toUpperCase()
    .replace(new RegExp(`^${currency}|${currency}$`), '')
    .replace(decorations, '')
    .replace('\u2212', '-')
  if (bare === '') return text.trim() === '' ? { kind: 'empty' } : { kind: 'not_a_number' }
  const decimal = toDecimalText(bare, writing)
  return decimal === undefined ? { kind: 'not_a_number' } : { kind: 'decimal', text: decimal }
}

/** The same number with a point before its decimals and nothing else; undefined for what is no number. */
export function toDecimalText(text: string, writing: { language: 'en' | 'pt'; hasDecimals: boolean }): string | undefined {
  const [, sign = '', digits = ''] = /^(-?)([\d.,]*\d[\d.,]*)$/.exec(text) ?? []
  if (digits === '') return undefined
  const separators = [...digits].filter((character) => character === '.' || character === ',')
  const last = separators.at(-1)
  if (last === undefined) return sign + digits
  if (new Set(separators).size === 2)
    return separators.indexOf(last) === separators.length - 1 ? read(sign, digits, last) : undefined
  if (separators.length > 1) return isGrouped(digits, last) ? sign + digits.replaceAll(last, '') : undefined
  return isOneGroup(digits, last, writing) ? sign + digits.replace(last, '') : read(sign, digits, last)
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

/** `1.234` is a thousand and more where the point does not begin decimals, or where the currency has none. */
function isOneGroup(
  digits: string,
  separator: string,
  { language, hasDecimals }: { language: 'en' | 'pt'; hasDecimals: boolean },
): boolean {
  const isDecimalSeparator = separator === (language === 'pt' ? ',' : '.')
  return isGrouped(digits, separator) && !digits.startsWith('0') && (!isDecimalSeparator || !hasDecimals)
}
