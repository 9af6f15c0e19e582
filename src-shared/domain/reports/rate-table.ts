import { type Rational, divide } from '#shared/domain/reports/exchange-rates'
import type { DayRate, RateSource } from '#shared/domain/reports/rate-sheets'

/** A rate that was found: one unit of a currency is so much of another, by rates of this day. */
export interface FoundRate {
  readonly rate: Rational
  readonly day: string
  readonly source: RateSource
}

/** Rates of one publisher in one currency. */
interface Book {
  readonly source: RateSource
  readonly base: string
  /** By currency, oldest first. */
  readonly rates: ReadonlyMap<string, readonly DayRate[]>
}

/** How many days a rate holds: over weekends and holidays, and one that was entered for a year at most. */
const heldDays: Readonly<Record<RateSource, number>> = { hand: 366, ecb: 10, bcb: 10 }
const order: readonly RateSource[] = ['hand', 'ecb', 'bcb']
const one: Rational = { numerator: 1n, denominator: 1n }

/** Books of sheets; of two rates of a publisher for a day, the one that was stored later counts. */
export function toBooks(
  sheets: ReadonlyArray<{ readonly source: RateSource; readonly currency: string; readonly rates: readonly DayRate[] }>,
): Book[] {
  return [...Map.groupBy(sheets, ({ source, currency }) => `${source} ${currency}`).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const days = new Map(own.flatMap(({ rates }) => rates.map((rate) => [`${rate.currency} ${rate.day}`, rate])))
    const sorted = [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
    return [{ source: first.source, base: first.currency, rates: Map.groupBy(sorted, ({ currency }) => currency) }]
  })
}

function lastUntil(rates: readonly DayRate[], day: string): DayRate | undefined {
  let [low, high] = [0, rates.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rates[middle]?.day ?? '') <= day) low = middle + 1
    else high = middle
  }
  return rates[low - 1]
}

function unitOf(book: Book, currency: string, day: string): { rate: Rational; day: string } | undefined {
  if (currency === book.base) return { rate: one, day }
  const found = lastUntil(book.rates.get(currency) ?? [], day)
  if (!found) return undefined
  const age = (Date.parse(day) - Date.parse(found.day)) / 86_400_000
  return age <= heldDays[book.source] ? found : undefined
}

/**
 * What one unit of a currency was worth in another on a day, by one publisher: entered rates before published ones, and a publisher in whose
 * currency one of the two is before others. Undefined where no rate holds.
 */
export function findRate(
  books: readonly Book[],
  { from, to, day }: { from: string; to: string; day: string },
): FoundRate | undefined {
  const rank = ({ source, base }: Book) => (source === 'hand' ? 0 : base === to ? 1 : base === from ? 2 : 3)
  for (const book of books.toSorted((a, b) => rank(a) - rank(b) || order.indexOf(a.source) - order.indexOf(b.source))) {
    const [worth, unit] = [unitOf(book, from, day), unitOf(book, to, day)]
    if (worth && unit)
      return { rate: divide(worth.rate, unit.rate), day: worth.day < unit.day ? worth.day : unit.day, source: book.source }
  }
  return undefined
}
