import { type Group, type Held, type Line, groupKey, pairUp } from '#shared/domain/statements/line-groups'
import { type ReferenceUse, daysAround, mayMove, useOfReferences } from '#shared/domain/statements/line-references'
import { isLaterPart, plainText, readText, relateTexts } from '#shared/domain/statements/line-texts'
import {
  type DayEvidence,
  type Period,
  beginsOn,
  covers,
  includes,
  isOpen,
  periodOf,
  withoutStrays,
} from '#shared/domain/statements/periods'

/**
 * Which lines of a statement a card has already. A line is known where a stored one has its day, amount and currency, a text that is the same or cut,
 * and no other lasting reference; each stored line is that of one line of the file. Where one of both may be missing on the other side, because a
 * file begins or ends within that day or names purchases of earlier statements, the line is unsure.
 */

/** The compared values of a statement line. `day`: `YYYY-MM-DD`; `reference`: the bank's identity of it. */
export interface ComparedLine {
  readonly day: string
  readonly amount_minor: number
  readonly currency: string
  readonly text: string
  readonly reference: string | null
}

/** A stored line; its `external_id` contains its reference, if any. */
export type StoredLine = Omit<ComparedLine, 'reference'> & { readonly external_id: string }

/** What a card has: its lines, and the periods of its statements. `imported`: the same lines were before: all of them, or without unsure ones. */
export interface KnownCard {
  readonly lines: readonly StoredLine[]
  readonly periods?: readonly Period[]
  readonly imported?: 'whole' | 'in part' | undefined
}

/** What a line of a file is. `unsure`: `like` may be this line, or another purchase. */
export type LinePlan =
  | { readonly kind: 'known' }
  | { readonly kind: 'new'; readonly external_id: string }
  | { readonly kind: 'unsure'; readonly external_id: string; readonly like: StoredLine }

/** What each line is, in order; the period of the file, and those of the card before it as far as the file bears them out. */
export interface StatementPlan {
  readonly lines: readonly LinePlan[]
  readonly period: Period | undefined
  readonly before: readonly Period[]
}

const longestReference = 200
const longestText = 120
/** How many lines of one day and amount are compared with a line that has no pair. */
const mostTried = 32

/** The reference in an `external_id`; null if it has none. */
export function referenceOf(external_id: string): string | null {
  const [, reference] = /^r:([^]*?)(?:~\d+)?$/.exec(external_id) ?? []
  return reference ?? null
}

/** What makes two files the same statement: its lines without their references, in any order. */
export function contentsOf(lines: readonly ComparedLine[]): string[] {
  return lines.map((line) => `${groupKey({ ...line })} ${plainText(line.text)}`).toSorted()
}

/** What each line of a file is to a card. */
export function planLines(incoming: readonly ComparedLine[], card: KnownCard): StatementPlan {
  const read = cached(readText)
  const lines = incoming.map((line, place): Line => ({ ...line, place, text: read(line.text), reference: cut(line.reference) }))
  const held = card.lines.map((line, place): Held => ({
    ...line,
    place,
    text: read(line.text),
    reference: referenceOf(line.external_id),
    isClaimed: false,
  }))
  const groups = new Map<string, Group>()
  const groupOf = (line: Line) => {
    const group = groups.get(groupKey(line)) ?? { news: [], held: [] }
    groups.set(groupKey(line), group)
    return group
  }
  for (const line of held) groupOf(line).held.push(line)
  for (const line of lines) groupOf(line).news.push(line)
  const days = new Days({ lines, held, groups: groups.values() }, card)
  const plans = new Comparison({ lines, held, groups, days }, card).plan()
  const ids = new Ids(card.lines)
  return {
    ...{ period: days.likely.own, before: days.likely.before },
    lines: lines.map((line) => {
      const kind = plans.get(line) ?? 'new'
      if (kind === 'known') return { kind }
      const external_id = ids.next(line)
      const like = kind === 'new' ? undefined : card.lines[kind.place]
      return like ? { kind: 'unsure', external_id, like } : { kind: 'new', external_id }
    }),
  }
}

const dayKey = ({ day, currency }: Pick<ComparedLine, 'day' | 'currency'>) => `${day} ${currency}`

const cut = (reference: string | null) => {
  const plain = reference?.trim().slice(0, longestReference) ?? ''
  return plain === '' ? null : plain
}

function cached<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    const one = made.get(text) ?? make(text)
    made.set(text, one)
    return one
  }
}

interface Sides {
  readonly lines: readonly Line[]
  readonly held: readonly Held[]
}

/** The days of a file and of the statements before it, without those that strays may have lengthened. */
class View {
  readonly own: Period | undefined
  readonly before: readonly Period[]
  readonly #isStrict: boolean
  /** The periods before, with their first days. */
  readonly #given: readonly Period[]

  constructor(
    own: Period | undefined,
    before: readonly Period[],
    [ofFile, ofCard, how]: readonly [...ReturnType<typeof evidenceOf>, 'possible' | 'likely'],
  ) {
    this.own = own && withoutStrays(own, ofFile, how)
    const isNear = (one: Period) => own !== undefined && own.from <= one.to && one.from <= own.to
    this.before = before.map((one) => (isNear(one) ? withoutStrays(one, ofCard, how) : one))
    this.#isStrict = how === 'possible'
    this.#given = before
  }

  /** Whether a stored line of this day must be in the file. */
  readonly mustBeInFile = cached((day) => this.own !== undefined && covers(this.own, day) && this.isOfCard(day))
  /** Whether a line of the file of this day must be stored. */
  readonly mustBeStored = cached(
    (day) => this.isOfFile(day) && this.before.some((one) => covers(one, day) && !(this.#isStrict && isOpen(one, day))),
  )
  /** Whether file and card cannot each lack a line of a day that the other has: one has them all, or both begin or end within it. */
  readonly isNested = cached((day) => {
    const { own } = this
    if (own === undefined || this.isCovered(day)) return own !== undefined
    const isBoth = (is: (one: Period) => boolean) => is(own) && this.before.some(is)
    return isBoth((one) => one.from === day && one.to > day) || isBoth((one) => one.to === day && one.from < day)
  })
  /** Whether the file, or the card, has all lines of a day. */
  readonly isCovered = (day: string): boolean => this.mustBeStored(day) || this.mustBeInFile(day)
  /** Whether a line of the file of this day is none of an earlier statement. */
  readonly isOfFile = (day: string): boolean => this.own !== undefined && includes(this.own, day)
  /** Whether stored lines of this day are those of the statement of that day, and not strays of a later one. */
  readonly isOfCard = cached(
    (day) =>
      this.before.some((one) => includes(one, day)) &&
      !this.#given.some((one, at) => one.from <= day && day < (this.before[at]?.from ?? '')),
  )
}

/** What days say of lines: `surely` where nothing speaks against it, `likely` where most speaks for it. */
class Days {
  readonly surely: View
  readonly likely: View
  readonly isRepeated: boolean

  constructor({ lines, held, groups }: Sides & { readonly groups: Iterable<Group> }, { periods = [], imported }: KnownCard) {
    const own = periodOf(lines)
    const evidence = evidenceOf(groups)
    const before = periods.length > 0 ? periods : [periodOf(held) ?? []].flat()
    this.surely = new View(own, before, [...evidence, 'possible'])
    this.likely = new View(own, before, [...evidence, 'likely'])
    // Twins on both sides of a cut within one day are two equal files of that day.
    this.isRepeated = imported === 'whole' && own !== undefined && own.first < own.to
  }

  /** Whether a statement before ends on the day on which the file begins, or the other way round: together they may be cut between twins. */
  isCutBetween({ day, text }: Line): boolean {
    const { own, before } = this.surely
    if (!own || this.isRepeated) return false
    const isLater = isLaterPart(text)
    const [begins, ends] = [beginsOn(own, day, isLater), own.to === day]
    return (begins || ends) && before.some((one) => (begins && one.to === day) || (ends && beginsOn(one, day, isLater)))
  }

  /** Whether lines of this day with equal texts are surely the same. `isPart`: they count the same instalment. */
  isSure(line: Line, isPart: boolean): boolean {
    const { day } = line
    if (this.isRepeated || this.surely.isCovered(day)) return true
    return !this.isCutBetween(line) && (isPart || (this.surely.isOfFile(day) && this.surely.isOfCard(day)))
  }
}

/** By day: the file's lines and the stored ones that it lacks; and the other way round. Later instalments say nothing. */
function evidenceOf(groups: Iterable<Group>): readonly [DayEvidence[], DayEvidence[]] {
  const byDay = new Map<string, { news: number; held: number; shared: number }>()
  for (const { news, held } of groups) {
    const [ones, others] = [news, held].map((some) => some.filter(({ text }) => text.part === null || text.part.number === 1).length)
    const day = (news[0] ?? held[0])?.day
    if (day === undefined || ones === undefined || others === undefined) continue
    const one = byDay.get(day) ?? { news: 0, held: 0, shared: 0 }
    byDay.set(day, { news: one.news + ones, held: one.held + others, shared: one.shared + Math.min(ones, others) })
  }
  const days = [...byDay].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return [
    days.map(([day, { news, held, shared }]) => ({ day, own: news, missing: held - shared })),
    days.map(([day, { news, held, shared }]) => ({ day, own: held, missing: news - shared })),
  ]
}

/** Finds the stored line of each line, surest evidence first. */
class Comparison {
  readonly #plans = new Map<Line, 'known' | Held>()
  readonly #byReference: ReadonlyMap<string, readonly Held[]>
  readonly #references: ReferenceUse
  readonly #daysAround = cached(daysAround)
  /** The stored lines that are no line's, by group, by reference and by day, the first of them last. */
  #left: ReadonlyMap<string, Held[]> = new Map()
  #leftNamed: ReadonlyMap<string | null, Held[]> = new Map()
  #leftOfDay: ReadonlyMap<string, Held[]> = new Map()

  constructor(
    readonly sides: Sides & { readonly groups: ReadonlyMap<string, Group>; readonly days: Days },
    readonly card: KnownCard,
  ) {
    const { lines, held, groups, days } = sides
    const named = held.flatMap((line) => (line.reference === null ? [] : [{ line, reference: line.reference }]))
    const byReference = Map.groupBy(named, ({ reference }) => reference)
    this.#byReference = new Map([...byReference].map(([reference, some]) => [reference, some.map(({ line }) => line)]))
    const isCovered = (line: Line) => days.likely.isNested(line.day) && !days.isCutBetween(line)
    const use = useOfReferences(lines, { groups: groups.values(), byReference: this.#byReference, isCovered })
    const isProof = use !== 'lasting' || card.imported === undefined
    // A file agrees with itself, whatever its references are.
    this.#references = days.isRepeated && use !== 'none' ? 'helpful' : isProof ? use : 'presumed'
  }

  plan(): ReadonlyMap<Line, 'known' | Held> {
    const { lines, groups } = this.sides
    if (this.#references !== 'none') this.#claimReferences()
    const isLasting = this.#isLasting
    for (const group of groups.values()) {
      this.#claimTexts(group, isLasting, (line, isPart) => (this.sides.days.isSure(line, isPart) ? 'known' : 'unsure'))
      // Other references tell lines apart, unless one of both is missing on the other side.
      if (isLasting) this.#claimTexts(group, false, (line, isPart) => (isPart || this.#isIncomplete(line) ? 'unsure' : 'new'))
    }
    const left = this.sides.held.filter(({ isClaimed }) => !isClaimed).toReversed()
    this.#left = Map.groupBy(left, groupKey)
    this.#leftNamed = Map.groupBy(left, ({ reference }) => reference)
    this.#leftOfDay = Map.groupBy(left, dayKey)
    for (const line of lines) {
      const like = this.#plans.has(line) ? undefined : this.#moved(line)
      if (like) this.#plans.set(line, like)
    }
    for (const line of lines) {
      const like = this.#plans.has(line) ? undefined : this.#renamed(line)
      if (like) this.#claim(line, like, this.sides.days.isRepeated)
    }
    for (const line of lines) {
      const like = this.#plans.has(line) ? undefined : this.#adjusted(line)
      if (like) this.#claim(line, like, false)
    }
    return this.#plans
  }

  #claim(line: Line, its: Held, isSure: boolean): void {
    its.isClaimed = true
    this.#plans.set(line, isSure ? 'known' : its)
  }

  /** Lines with the reference of a stored one, on its day or, where references last, on one from which its posting may have moved. */
  #claimReferences(): void {
    const queues = new Map<string, Held[]>()
    const keyOf = (line: Line, day = line.day) => `${groupKey({ ...line, day })} ${line.reference}`
    for (const some of this.#byReference.values())
      for (const line of some.toReversed()) {
        const queue = queues.get(keyOf(line))
        if (queue) queue.push(line)
        else queues.set(keyOf(line), [line])
      }
    const claim = (line: Line, days: readonly string[]) => {
      for (const day of days) {
        const queue = queues.get(keyOf(line, day)) ?? []
        while (queue.at(-1)?.isClaimed === true) queue.pop()
        const its = queue.at(-1)
        if (!its || relateTexts(line.text, its.text) === 'contrary') continue
        return this.#claim(line, its, true)
      }
    }
    for (const line of this.sides.lines) if (line.reference !== null) claim(line, [line.day])
    if (!this.#isLasting) return
    for (const line of this.sides.lines)
      if (line.reference !== null && mayMove(line.reference) && this.#byReference.has(line.reference) && !this.#plans.has(line))
        claim(line, this.#daysAround(line.day))
  }

  /** Lines whose text is that of a stored line of their day and amount; `judge` says what they are then. */
  #claimTexts(group: Group, isLasting: boolean, judge: (line: Line, isPart: boolean) => LinePlan['kind']): void {
    const news = group.news.filter((line) => !this.#plans.has(line))
    const held = group.held.filter(({ isClaimed }) => !isClaimed)
    if (news.length === 0 || held.length === 0) return
    for (const [line, its] of pairUp(news, held, isLasting)) {
      const kind = judge(line, line.text.part !== null && its.text.part !== null)
      if (kind !== 'new') this.#claim(line, its, kind === 'known')
    }
  }

  /**
   * A stored line with an equal text that this one may be although its day, or its amount under the same reference, is another. That one stays free
   * for others, as each of several may be it.
   */
  #moved(line: Line): Held | undefined {
    const isAlike = (its: Held) => ['same', 'alike'].includes(relateTexts(line.text, its.text))
    for (const day of this.#daysAround(line.day)) {
      const found = lastFree(this.#left.get(groupKey({ ...line, day }))).find((its) => isAlike(its) && this.#isMissing(line, its))
      if (found) return found
    }
    const named = this.#isLasting && line.reference !== null ? this.#leftNamed.get(line.reference) : []
    return lastFree(named).find((its) => isAlike(its) && (its.day === line.day || this.#daysAround(line.day).includes(its.day)))
  }

  /** A stored line of the day and amount of this one, where one of both is missing on the other side. */
  #renamed(line: Line): Held | undefined {
    return lastFree(this.#left.get(groupKey(line))).find(
      (its) => relateTexts(line.text, its.text) !== 'contrary' && (this.#isMissing(line, its) || this.sides.days.likely.isNested(line.day)),
    )
  }

  /** A stored line of the day and text of this one that the file lacks: with a tip, or at another rate, it is posted with another amount. */
  #adjusted(line: Line): Held | undefined {
    const { mustBeInFile } = this.sides.days.likely
    return lastFree(this.#leftOfDay.get(dayKey(line))).find(
      (its) =>
        its.amount_minor > 0 === line.amount_minor > 0 &&
        mustBeInFile(its.day) &&
        ['same', 'alike'].includes(relateTexts(line.text, its.text)),
    )
  }

  /** Whether a stored line should be in the file, or a line of the file be stored. */
  #isMissing(line: Line, its: Held): boolean {
    const { likely } = this.sides.days
    return likely.mustBeInFile(its.day) || likely.mustBeStored(line.day)
  }

  /** Whether lines of this day may be the same although their references are not. */
  #isIncomplete(line: Line): boolean {
    const { days } = this.sides
    if (days.likely.isNested(line.day)) return true
    const isStray = !days.surely.isOfFile(line.day) || !days.surely.isOfCard(line.day)
    return this.#references === 'presumed' && (isStray || days.isCutBetween(line))
  }

  get #isLasting(): boolean {
    return this.#references === 'lasting' || this.#references === 'presumed'
  }
}

/** Lines at the end of a list that are no line's yet. */
function lastFree(lines: Held[] = []): Held[] {
  while (lines.at(-1)?.isClaimed === true) lines.pop()
  return lines
    .slice(-mostTried)
    .filter(({ isClaimed }) => !isClaimed)
    .toReversed()
}

/** Gives unused ids: from the reference, or from day, amount and text with a number among equals. */
class Ids {
  readonly #used: Set<string>
  /** For each base, the place from which on all are free. */
  readonly #places = new Map<string, number>()

  constructor(stored: readonly StoredLine[]) {
    this.#used = new Set(stored.map(({ external_id }) => external_id))
  }

  next({ day, currency, amount_minor, text, reference }: Line): string {
    const base = reference === null ? `f:${day}:${currency}${amount_minor}:${text.plain.slice(0, longestText)}` : `r:${reference}`
    let place = this.#places.get(base) ?? 1
    const idAt = () => (place === 1 ? base : `${base}~${place}`)
    while (this.#used.has(idAt())) place += 1
    this.#places.set(base, place)
    this.#used.add(idAt())
    return idAt()
  }
}
