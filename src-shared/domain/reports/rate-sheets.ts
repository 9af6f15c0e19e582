import { isCurrency } from '#shared/domain/currencies'
import { type Rational, divide, parseRate } from '#shared/domain/reports/exchange-rates'

/** The sources of rates: entered by hand, the European Central Bank, or Banco Central do Brasil. */
export const rateSources = ['hand', 'ecb', 'bcb'] as const
/** A source of rates. */
export type RateSource = (typeof rateSources)[number]

/** The currency of each publisher's rates. */
export const currencyOfSource = { ecb: 'EUR', bcb: 'BRL' } as const satisfies Partial<Record<RateSource, string>>

/** The value of one unit of a currency on a day, in its sheet's currency. */
export interface DayRate {
  readonly day: string
  readonly currency: string
  readonly rate: Rational
}

/** Parsed rates, or the number of the first invalid line, from 1. */
export type ReadRates = { readonly kind: 'ok'; readonly rates: readonly DayRate[] } | { readonly kind: 'wrong'; readonly line: number }

const one: Rational = { numerator: 1n, denominator: 1n }

/** Whether a text is an existing date, unlike 30 February. */
function isRealDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** `2024-03-01 USD 5.40`: one USD was 5.40 of the sheet's currency. */
function readHand(line: string): DayRate[] | undefined {
  const [day = '', currency = '', text = '', ...more] = line.trim().split(/\s+/)
  const rate = parseRate(text)
  return more.length === 0 && isRealDay(day) && isCurrency(currency) && rate ? [{ day, currency, rate }] : undefined
}

const toBcbDay = (text: string) => text.replace(/^(\d\d)\/?(\d\d)\/?(\d{4})$/, '$3-$2-$1')

/** `01032024;220;A;USD;4,9544;4,9550;1,0000;1,0000`: the selling rate counts. Skips currencies without an ISO 4217 code. */
function readBcb(line: string): DayRate[] | undefined {
  const [date = '', , , currency = '', , selling = ''] = line.split(';').map((part) => part.trim())
  const day = toBcbDay(date)
  const rate = parseRate(selling.replace(',', '.'))
  if (!isRealDay(day) || !/^[A-Z]{3}$/.test(currency) || !rate) return undefined
  return isCurrency(currency) ? [{ day, currency, rate }] : []
}

/** `2024-03-01,1.0834,162.27,…` under `Date,USD,JPY,…`: the value of one euro in each; `N/A` if there is none. */
function readEcb(line: string, head: readonly string[]): DayRate[] | undefined {
  const [day = '', ...values] = line.split(',').map((part) => part.trim())
  if (!isRealDay(day)) return undefined
  const rates: DayRate[] = []
  for (const [index, value] of values.entries()) {
    const currency = head[index + 1] ?? ''
    if (value === '' || value === 'N/A' || !isCurrency(currency)) continue
    const rate = parseRate(value)
    if (!rate) return undefined
    rates.push({ day, currency, rate: divide(one, rate) })
  }
  return rates
}

/** Parses rates in their publisher's format. */
export function readRates(source: RateSource, text: string): ReadRates {
  const rates: DayRate[] = []
  const lines = text.split(/\r?\n/)
  const head = (lines[0] ?? '').split(',').map((part) => part.trim())
  if (source === 'ecb' && head[0] !== 'Date') return { kind: 'wrong', line: 1 }
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || (source === 'ecb' && index === 0)) continue
    const read = source === 'hand' ? readHand(line) : source === 'bcb' ? readBcb(line) : readEcb(line, head)
    if (!read) return { kind: 'wrong', line: index + 1 }
    rates.push(...read)
  }
  return rates.length === 0 ? { kind: 'wrong', line: 1 } : { kind: 'ok', rates }
}

/** A sheet's lines from a day (included) until another (excluded); undefined if there are none. */
export function linesBetween(source: RateSource, text: string, { from, until }: { from: string; until: string }): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const head = source === 'ecb' ? lines.splice(0, 1) : []
  const dayOf = (line: string) => (source === 'bcb' ? toBcbDay(line.split(';', 1)[0]?.trim() ?? '') : line.trim().slice(0, 10))
  const own = lines.filter((line) => dayOf(line) >= from && dayOf(line) < until)
  return own.length === 0 ? undefined : [...head, ...own].join('\n')
}

/** The longest text of a sheet. */
export const longestSheet = 10_000

/** A part of a published file: the lines of a month or less. */
export interface SheetPart {
  readonly name: string
  readonly rates: string
}

/** Splits a published file into sheets of a month or less. `months`: only the newest ones. */
export function toSheets(source: 'ecb' | 'bcb', text: string, { months }: { months: number }): SheetPart[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const head = source === 'ecb' ? [lines.shift() ?? ''] : []
  const monthOf = (line: string) => (source === 'ecb' ? line.slice(0, 7) : line.replace(/^\d\d\/?(\d\d)\/?(\d{4}).*$/, '$2-$1'))
  const newest = [...Map.groupBy(lines, monthOf)].toSorted(([a], [b]) => (a < b ? 1 : -1)).slice(0, months)
  return newest.flatMap(([month, own]) => {
    const parts: string[][] = [[]]
    const headLength = head.join('\n').length + head.length
    let length = headLength
    for (const line of own) {
      const last = parts.at(-1) ?? []
      length += line.length + 1
      if (length - 1 > longestSheet) {
        parts.push([line])
        length = headLength + line.length + 1
      } else last.push(line)
    }
    const codes = [...new Set(own.map((line) => line.split(';')[3]?.trim() ?? ''))].filter(isCurrency)
    const kinds = source === 'bcb' ? ` ${codes.slice(0, 3).join(', ')}` : ''
    return parts.map((part, index) => ({
      name: `${source.toUpperCase()} ${month}${kinds}${parts.length > 1 ? ` (${index + 1})` : ''}`,
      rates: [...head, ...part].join('\n'),
    }))
  })
}
