import { type ListFilter, namedPayer } from '#shared/contract/filters'
import type { UsedRate } from '#shared/contract/reports/reports'
import { formatRate } from '#shared/domain/reports/exchange-rates'
import { monthOf } from '#shared/domain/closing/months'
import { readKeptRates } from '#shared/domain/reports/kept-rates'
import { readRates } from '#shared/domain/reports/rate-sheets'
import { type FoundRate, findRate, toBooks } from '#shared/domain/reports/rate-table'
import type { Reader } from '#main/store/core/store'
import type { Spending } from '#main/store/records/expenses/report-reader'
import { type RateSheet, listKeptRates, listRateSheets } from '#main/store/records/organizations/exchange-rate-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import type { Conversion } from './make-panels'

/** How a report is converted, with which rates, and which currencies stay separate because a day lacks a rate. */
export interface ConversionPlan {
  readonly conversion: Conversion
  readonly rates: UsedRate[]
  readonly unconverted: Array<{ currency: string; day: string }>
}

type Books = ReturnType<typeof toBooks>
/** The books that convert a day, preferred ones first: those of its month if closed, then today's. */
type BooksOfDay = (day: string) => readonly Books[]

function parseBooks(sheets: readonly RateSheet[]): Books {
  return toBooks(
    sheets.map(({ source, currency, rates }) => {
      const read = readRates(source, rates)
      return { source, currency, rates: read.kind === 'ok' ? read.rates : [] }
    }),
  )
}

/** The books of the organization in a filter, for its members; parsed once until the next commit. */
async function readBooks(reader: Reader, user_id: number, filter: ListFilter): Promise<BooksOfDay> {
  const organization_id = namedPayer(filter) ?? 0
  if ((await findRole(reader, { organization_id, user_id })) === undefined) return () => []
  return reader.remember({ sql: 'books of exchange rates', parameters: [organization_id] }, async () => {
    const now = parseBooks(await listRateSheets(reader, organization_id))
    const texts = await listKeptRates(reader, organization_id)
    const kept = new Map<string, Books>()
    return (day: string) => {
      const month = monthOf(day)
      const text = texts.get(month)
      if (text !== undefined && !kept.has(month)) kept.set(month, parseBooks(readKeptRates(text)))
      return [kept.get(month) ?? [], now]
    }
  })
}

/** Finds the rate of every day and currency of a report. A currency with a missing rate is not converted at all, so its sums stay exact. */
export async function planConversion(
  reader: Reader,
  user_id: number,
  { filter, currency: to, spending }: { filter: ListFilter; currency: string; spending: readonly Spending[] },
): Promise<ConversionPlan> {
  const books = await readBooks(reader, user_id, filter)
  const cells = spending.flatMap(({ cells: own, totals }) => [...own, ...totals]).filter(({ currency }) => currency !== to)
  const found = new Map<string, FoundRate>()
  const missing = new Map<string, string>()
  for (const { currency: from, day } of cells) {
    const key = `${from} ${day ?? ''}`
    if (day === null || found.has(key)) continue
    const [first = [], second = []] = books(day)
    const rate = findRate(first, { from, to, day }) ?? findRate(second, { from, to, day })
    if (rate) found.set(key, rate)
    else if (day < (missing.get(from) ?? '9999')) missing.set(from, day)
  }
  const converted = new Set(cells.map(({ currency }) => currency).filter((currency) => !missing.has(currency)))
  const used = new Map(
    [...found].flatMap(([key, { rate, day, source }]) => {
      const currency = key.slice(0, 3)
      return converted.has(currency) ? [[`${currency} ${day} ${source}`, { currency, day, source, rate: formatRate(rate) }] as const] : []
    }),
  )
  return {
    conversion: { currency: to, from: converted, rateOf: (currency, day) => found.get(`${currency} ${day}`)?.rate },
    rates: [...used.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, rate]) => rate),
    unconverted: [...missing].toSorted().map(([currency, day]) => ({ currency, day })),
  }
}
