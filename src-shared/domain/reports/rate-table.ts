import { type Rational, divide } from '#shared/domain/reports/exchange-rates'
import type { DayRate, RateSource } from '#shared/domain/reports/rate-sheets'

/** A found rate: the value of one unit of a currency in another, from rates of this day. */
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

/** How many days a rate is valid: over weekends and holidays; an entered one for up to a year. */
export const heldDays: Readonly<Record<RateSource, number>> = { hand: 366, ecb: 10, bcb: 10 }
const order: readonly RateSource[] = ['hand', 'ecb', 'bcb']
const one: Rational = { numerator: 1n, denominator: 1n }

/** Makes books from sheets; of a publisher's two rates for a day, the later stored one counts. */
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

/** The values of two currencies; a bank's are of one day, the last on which it published both. */
function unitsOf(book: Book, [from, to]: readonly [string, string], day: string) {
  for (let at = day; ;) {
    const [worth, unit] = [unitOf(book, from, at), unitOf(book, to, at)]
    if (!worth || !unit) return undefined
    const first = worth.day < unit.day ? worth.day : unit.day
    if (book.source === 'hand' || worth.day === unit.day) return isHeld(book, first, day) ? { worth, unit, day: first } : undefined
    at = first
    if (!isHeld(book, at, day)) return undefined
  }
}

function isHeld({ source }: Book, from: string, day: string): boolean {
  return (Date.parse(day) - Date.parse(from)) / 86_400_000 <= heldDays[source]
}

function unitOf(book: Book, currency: string, day: string): { rate: Rational; day: string } | undefined {
  if (currency === book.base) return { rate: one, day }
  const found = lastUntil(book.rates.get(currency) ?? [], day)
  return found && isHeld(book, found.day, day) ? found : undefined
}

/**
 * The value of one unit of a currency in another on a day, from one publisher: entered rates before published ones, and first a publisher in one of
 * the two currencies. Undefined without a valid rate.
 */
export function findRate(books: readonly Book[], { from, to, day }: { from: string; to: string; day: string }): FoundRate | undefined {
  const rank = ({ source, base }: Book) => (source === 'hand' ? 0 : base === to ? 1 : base === from ? 2 : 3)
  for (const book of books.toSorted((a, b) => rank(a) - rank(b) || order.indexOf(a.source) - order.indexOf(b.source))) {
    const units = unitsOf(book, [from, to], day)
    if (units) return { rate: divide(units.worth.rate, units.unit.rate), day: units.day, source: book.source }
  }
  return undefined
}
