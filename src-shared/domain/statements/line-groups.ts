import { type LineText, relateTexts, sharedLength } from '#shared/domain/statements/line-texts'

/** Lines of one day, amount and currency, and which of them are the same. */

/** A line of a file, prepared for comparison. `place`: in the file. */
export interface Line {
  readonly place: number
  readonly day: string
  readonly amount_minor: number
  readonly currency: string
  readonly text: LineText
  readonly reference: string | null
}

/** A stored line. `place`: among the stored lines. */
export interface Held extends Line {
  isClaimed: boolean
}

/** The lines of a day, amount and currency: new and stored ones. */
export interface Group {
  readonly news: Line[]
  readonly held: Held[]
}

/** Up to so many lines each choice is revised so that as many as possible find their own; more are compared with similar ones only. */
const mostRevised = 60
const mostTexts = 40
const neighbours = 8

interface Node<T> {
  readonly text: LineText
  readonly hasReference: boolean
  readonly lines: T[]
}

/** The key of a line's group. Days, currencies and amounts have no spaces. */
export const groupKey = ({ day, currency, amount_minor }: Pick<Line, 'day' | 'currency' | 'amount_minor'>): string =>
  `${day} ${currency} ${amount_minor}`

/**
 * Pairs new lines with stored ones of their group, as many as possible and best texts first. `isLasting`: lines with references are no pair: equal
 * references were paired before.
 */
export function pairUp(news: readonly Line[], held: readonly Held[], isLasting: boolean): Map<Line, Held> {
  const fit = (one: Pick<Node<unknown>, 'text' | 'hasReference'>, other: Pick<Node<unknown>, 'text' | 'hasReference'>) => {
    if (isLasting && one.hasReference && other.hasReference) return 0
    const relation = relateTexts(one.text, other.text)
    if (relation !== 'same' && relation !== 'alike') return 0
    // With a reference on one side only, two formats are compared: a line of the same format may come next.
    const preference = one.hasReference === other.hasReference ? 0 : 0.1
    return (relation === 'same' ? 3 : 1 + sharedLength(one.text, other.text)) + preference
  }
  const pairs = new Map<Line, Held>()
  const [ones, others] = [nodesOf(news), nodesOf(held)]
  const edges = candidates(ones, others).flatMap(([one, other]) => {
    const score = fit(one, other)
    return score > 0 ? [{ one, other, score }] : []
  })
  for (const { one, other } of edges.toSorted((a, b) => b.score - a.score))
    while (one.lines.length > 0 && other.lines.length > 0) {
      const [line, its] = [one.lines.pop(), other.lines.pop()]
      if (line && its) pairs.set(line, its)
    }
  if (pairs.size < Math.min(news.length, held.length) && news.length + held.length <= mostRevised) {
    const told = <T extends Line>(line: T) => ({ text: line.text, hasReference: line.reference !== null })
    revise({ news, held, pairs }, (line, its) => fit(told(line), told(its)) > 0)
  }
  return pairs
}

/** Lines by text, the first of them last. */
function nodesOf<T extends Line>(lines: readonly T[]): Array<Node<T>> {
  const byKey = Map.groupBy(lines.toReversed(), ({ text, reference }) => `${reference === null} ${text.plain}`)
  return [...byKey.values()].flatMap((some) =>
    some[0] ? [{ text: some[0].text, hasReference: some[0].reference !== null, lines: some }] : [],
  )
}

/** Texts to compare: all, or those that are equal or next to each other in alphabetical order. */
function candidates(ones: ReadonlyArray<Node<Line>>, others: ReadonlyArray<Node<Held>>): Array<readonly [Node<Line>, Node<Held>]> {
  if (ones.length <= mostTexts && others.length <= mostTexts) return ones.flatMap((one) => others.map((other) => [one, other] as const))
  const sorted = others.toSorted((a, b) => (a.text.joined < b.text.joined ? -1 : 1))
  return ones.flatMap((one) => {
    let [from, to] = [0, sorted.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((sorted[middle]?.text.joined ?? '') < one.text.joined) from = middle + 1
      else to = middle
    }
    return sorted.slice(Math.max(0, from - neighbours), from + neighbours).map((other) => [one, other] as const)
  })
}

/** Gives lines without a pair one whose own line finds another (augmenting paths). */
function revise(
  { news, held, pairs }: { news: readonly Line[]; held: readonly Held[]; pairs: Map<Line, Held> },
  fits: (line: Line, its: Held) => boolean,
): void {
  const owner = new Map([...pairs].map(([line, its]) => [its, line]))
  const find = (line: Line, seen: Set<Held>): boolean =>
    held.some((its) => {
      if (seen.has(its) || !fits(line, its)) return false
      seen.add(its)
      const other = owner.get(its)
      if (other && !find(other, seen)) return false
      owner.set(its, line)
      pairs.set(line, its)
      return true
    })
  for (const line of news) if (!pairs.has(line)) find(line, new Set())
}
