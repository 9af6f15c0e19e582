import { isCurrency } from '#shared/domain/currencies'
import { type Rational, divide, parseRate } from '#shared/domain/reports/exchange-rates'

/** Who published rates: entered by hand, the European Central Bank, or Banco Central do Brasil. */
export const rateSources = ['hand', 'ecb', 'bcb'] as const
/** Who published rates. */
export type RateSource = (typeof rateSources)[number]

/** What all rates of a publisher are about. */
export const currencyOfSource = { ecb: 'EUR', bcb: 'BRL' } as const satisfies Partial<Record<RateSource, string>>

/** What one unit of a currency was worth on a day, in the currency of its sheet. */
export interface DayRate {
  readonly day: string
  readonly currency: string
  readonly rate: Rational
}

/** What a text holds: rates, or the number of the first line that is not understood, from 1. */
export type ReadRates = { readonly kind: 'ok'; readonly rates: readonly DayRate[] } | { readonly kind: 'wrong'; readonly line: number }

const one: Rational = { numerator: 1n, denominator: 1n }

/** Whether a text is a day that there is: not the 30th of February. */
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

/** `01032024;220;A;USD;4,9544;4,9550;1,0000;1,0000`: the selling rate counts. A currency that is no ISO 4217 code is passed over. */
function readBcb(line: string): DayRate[] | undefined {
  const [date = '', , , currency = '', , selling = ''] = line.split(';').map((part) => part.trim())
  const day = toBcbDay(date)
  const rate = parseRate(selling.replace(',', '.'))
  if (!isRealDay(day) || !/^[A-Z]{3}$/.test(currency) || !rate) return undefined
  return isCurrency(currency) ? [{ day, currency, rate }] : []
}

/** `2024-03-01,1.0834,162.27,…` under `Date,USD,JPY,…`: one euro was so much of each; `N/A` where there was none. */
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

/** Reads rates as their publisher writes them. */
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

/** The lines of a sheet from a day on and before another; undefined where it has none. */
export function linesBetween(source: RateSource, text: string, { from, until }: { from: string; until: string }): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const head = source === 'ecb' ? lines.splice(0, 1) : []
  const dayOf = (line: string) => (source === 'bcb' ? toBcbDay(line.split(';', 1)[0]?.trim() ?? '') : line.trim().slice(0, 10))
  const own = lines.filter((line) => dayOf(line) >= from && dayOf(line) < until)
  return own.length === 0 ? undefined : [...head, ...own].join('\n')
}

/** The longest text of a sheet. */
export const longestSheet = 10_000

/** A part of a published file: the lines of a month, or of part of one. */
export interface SheetPart {
  readonly name: string
  readonly rates: string
}

/** Cuts a published file into sheets, a month or less each. `months`: only the newest so many. */
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
