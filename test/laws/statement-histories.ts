import fc from 'fast-check'
import { type ComparedLine, type LinePlan, type StoredLine, contentsOf, planLines } from '#shared/domain/statements/known-lines'
import type { Period } from '#shared/domain/statements/periods'

/** Cards with known bookings, and files that their bank gives of them: what a card has after some imports can be compared with the truth. */

/** Days of a card's cycle: each cycle is a statement. */
export const cycleDays = 12
const lastDay = 35
const names = [
  'PADARIA REAL LTDA',
  'UBER TRIP',
  'UBER EATS',
  'POSTO 12 IPIRANGA',
  'POSTO 14 IPIRANGA',
  'Café São João',
  'Laptop',
  'Monitor',
]

const purchase = fc.record({
  day: fc.nat(lastDay),
  amount_minor: fc.constantFrom(500, 500, 500, 25_000, 990, -500),
  name: fc.oneof(fc.constant(names[1]), fc.constantFrom(...names)),
  parts: fc.constantFrom(1, 1, 1, 2, 3),
  /** Days from which it is posted later, where the bank shows pending lines. */
  delay: fc.nat(3),
})

const file = fc.record({
  /** Where it begins and ends, in days or in lines: the smaller number is the first. */
  ends: fc.tuple(fc.nat(60), fc.nat(60)),
  isCut: fc.boolean(),
  cycle: fc.nat(2),
  text: fc.constantFrom('full', 'full', 'cut', 'short', 'city', 'lower', 'wallet'),
  hasReferences: fc.boolean(),
  isReversed: fc.boolean(),
})
type FileChoice = typeof file extends fc.Arbitrary<infer T> ? T : never

const choices = {
  /** Files of cycles keep the day of a purchase on each instalment; of days, an instalment has its own. */
  lists: fc.constantFrom('cycles', 'days', 'pending'),
  references: fc.constantFrom('none', 'lasting', 'changed', 'per file', 'per day'),
  countsParts: fc.boolean(),
  purchases: fc.array(purchase, { minLength: 1, maxLength: 24 }),
  files: fc.array(file, { minLength: 1, maxLength: 7 }),
} as const

/** A card and its files. */
export const history = fc.record(choices)
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** A booking: what the bank has it as in the end. */
interface Booking {
  readonly id: number
  readonly day: number
  readonly amount_minor: number
  readonly text: string
  readonly cycle: number
  readonly delay: number
}

/** A line of a file and the booking that it is. */
export interface ToldLine extends ComparedLine {
  readonly booking: Booking
}

const dayOf = (number: number) => new Date(Date.UTC(2026, 2, 1 + number)).toISOString().slice(0, 10)

type Purchase = Omit<History['purchases'][number], 'amount_minor'> & { readonly amount_minor: number }
const hotel = (day: number): Purchase => ({ ...{ day, amount_minor: 10_000 + day, name: 'Hotel', parts: 1, delay: 0 } })
/** Something is bought in each cycle itself: without it, a statement of instalments that are not counted is one that is given twice. */
const everyDay = Array.from({ length: 6 * cycleDays }, (_, day) => hotel(day))

function purchasesOf({ lists, purchases }: History): Purchase[] {
  if (lists === 'cycles') return [...purchases, ...everyDay.slice(0, 3 * cycleDays)]
  // Something was posted before all that is pending: otherwise files show two purchases on two days.
  return lists === 'pending'
    ? [...everyDay.filter((_, day) => day < 8 || day % 4 === 0), ...purchases.map((one) => ({ ...one, day: one.day + 12 }))]
    : [...purchases]
}

function bookingsOf(card: History): Booking[] {
  const { lists, countsParts } = card
  const all = purchasesOf(card)
  const bookings = all.flatMap(({ day, amount_minor, name = '', parts, delay }) =>
    Array.from({ length: parts }, (_, part) => ({
      ...{ amount_minor, delay },
      text: parts > 1 && countsParts ? `${name} ${part + 1}/${parts}` : name,
      day: lists === 'cycles' ? day : day + part * cycleDays,
      cycle: Math.floor(day / cycleDays) + part,
    })),
  )
  const inCycles = (one: (typeof bookings)[number]) => (lists === 'cycles' ? one.cycle * 1_000 : 0) + one.day
  return bookings.toSorted((one, other) => inCycles(one) - inCycles(other)).map((one, id) => ({ ...one, id }))
}

function told(text: string, style: FileChoice['text']): string {
  const bare = () => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase()
  if (style === 'cut') return bare().slice(0, 14).trim()
  if (style === 'short') return text.slice(0, 10).trim()
  if (style === 'city') return `${bare()} SAO PAULO BR`
  if (style === 'wallet') return `PAG*${bare()}`
  return style === 'lower' ? text.toLowerCase() : text
}

/** What a file is of: whole cycles, whole days, a part of these, or all until a day, the last of them pending. */
function chosen({ lists, references, files }: History, bookings: readonly Booking[], choice: FileChoice): readonly Booking[] {
  const { ends, cycle } = choice
  const isCut = choice.isCut && (lists === 'days' || (references === 'lasting' && files.every(({ hasReferences }) => hasReferences)))
  const [from, to] = [Math.min(...ends), Math.max(...ends)]
  if (lists === 'pending') return bookings.filter(({ day, delay }) => day - delay <= to)
  const all = lists === 'cycles' ? bookings.filter((one) => one.cycle === cycle) : bookings
  if (isCut) {
    const part = all.slice(from % (all.length + 1), (to % (all.length + 1)) + 1)
    // Instalments alone say nothing of the days of their statement.
    if (lists === 'days' || part.some(({ day }) => day >= cycle * cycleDays)) return part
  }
  return lists === 'cycles' ? all : all.filter(({ day }) => day >= from && day <= to)
}

/** The lines of a file, as the bank gives them. `nth`: the how manyth file it is. */
function renderFile(card: History, bookings: readonly Booking[], choice: FileChoice, nth: number): ToldLine[] {
  const { lists, references } = card
  const now = Math.max(...choice.ends)
  const some = chosen(card, bookings, choice)
  const shown = some
    .map((booking) => ({ booking, at: lists === 'pending' && booking.day > now ? booking.day - booking.delay : booking.day }))
    .toSorted((one, other) => (lists === 'pending' ? one.at - other.at : 0))
  const ofDay = new Map<number, number>()
  const lines = shown.map(({ booking, at }, index) => {
    const place = (ofDay.get(at) ?? 0) + 1
    ofDay.set(at, place)
    const day = dayOf(at)
    const reference = {
      none: null,
      lasting: `9017${booking.id}0043`,
      changed: `${nth}5512${String((booking.id * 7_919) % 10_007).padStart(5, '0')}`,
      'per file': String(index + 1),
      'per day': `${day.replaceAll('-', '')}${String(place).padStart(3, '0')}`,
    }[references]
    const { amount_minor } = booking
    return {
      ...{ booking, day, amount_minor, currency: 'BRL', text: told(booking.text, choice.text) },
      reference: choice.hasReferences ? reference : null,
    }
  })
  return choice.isReversed ? lines.toReversed() : lines
}

/** The files of a card, in the order in which they are imported. */
export function filesOf(card: History): ToldLine[][] {
  const bookings = bookingsOf(card)
  return card.files.map((choice, nth) => renderFile(card, bookings, choice, nth))
}

/** What one counts of a booking: two of one sum and day are as good as each other. */
const sumOf = ({ day, amount_minor }: Booking) => `${day} ${amount_minor}`
const countBy = <T>(list: Iterable<T>, key: (one: T) => string) => {
  const counts = new Map<string, number>()
  for (const one of list) counts.set(key(one), (counts.get(key(one)) ?? 0) + 1)
  return counts
}

/** A card as imports fill it, and what it should have. */
export class Card {
  readonly stored: Array<StoredLine & { readonly booking: Booking }> = []
  readonly due = new Map<number, Booking>()
  /** Bookings whose lines were said to be unsure and left out. */
  readonly stated: Booking[] = []
  unsure = 0
  lines = 0
  #periods: readonly Period[] = []
  readonly #contents = new Map<string, 'whole' | 'in part'>()

  /** Imports a file. `answers`: a person says rightly of each unsure line whether it is new. Returns what each line was. */
  import(file: readonly ToldLine[], answers: boolean): readonly LinePlan[] {
    for (const { booking } of file) this.due.set(booking.id, booking)
    const contents = contentsOf(file).join('\n')
    const plan = planLines(file, { lines: this.stored, periods: this.#periods, imported: this.#contents.get(contents) })
    const left: string[] = []
    // Sure lines first, then purchases of which the card has none.
    const rank = ({ line, one }: { line: ToldLine; one: LinePlan | undefined }) =>
      one?.kind === 'unsure' ? (this.stored.some(({ booking }) => booking.id === line.booking.id) ? 2 : 1) : 0
    const told = file.map((line, index) => ({ line, one: plan.lines[index] })).toSorted((a, b) => rank(a) - rank(b))
    for (const {
      line: { booking, reference: _reference, ...line },
      one,
    } of told) {
      if (one === undefined || one.kind === 'known') continue
      if (one.kind === 'unsure') this.unsure += 1
      if (one.kind === 'unsure' && !(answers && this.#lacks(booking))) {
        if (!answers) this.stated.push(booking)
        if (!answers) left.push(line.day)
      } else this.stored.push({ ...line, external_id: one.external_id, booking })
    }
    this.lines += file.length
    this.#contents.set(contents, left.length === 0 ? 'whole' : 'in part')
    if (plan.period) this.#periods = [...plan.before, { ...plan.period, open: left }]
    return plan.lines
  }

  #lacks(booking: Booking): boolean {
    const sum = sumOf(booking)
    const isOfSum = (one: Booking) => sumOf(one) === sum
    return this.stored.filter((one) => isOfSum(one.booking)).length < [...this.due.values()].filter(isOfSum).length
  }

  /** Sums that it has too often, and those that it lacks without having said so. */
  get wrong(): { readonly doubled: string[]; readonly silent: string[] } {
    const has = countBy(
      this.stored.map(({ booking }) => booking),
      sumOf,
    )
    const due = countBy(this.due.values(), sumOf)
    const said = countBy(new Set(this.stated), sumOf)
    return {
      doubled: [...has].filter(([sum, count]) => count > (due.get(sum) ?? 0)).map(([sum]) => sum),
      silent: [...due].filter(([sum, count]) => count - (has.get(sum) ?? 0) > (said.get(sum) ?? 0)).map(([sum]) => sum),
    }
  }
}
