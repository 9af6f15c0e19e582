import type { Telling } from '#shared/domain/statements/alike'
import { byDay, placeOf } from '#shared/domain/statements/by-day'
import {
  type MatchEvidence,
  type MatchedClaim,
  type MatchedLine,
  cancelDays,
  earliestDays,
  latestDays,
  likenessOf,
} from '#shared/domain/statements/compare'

/** Lines and expenses that add up: a line for several expenses, several lines for an expense, and lines that cancel each other. */
export interface FoundGroup {
  readonly kind: 'split' | 'several' | 'cancelled'
  readonly lines: readonly MatchedLine[]
  readonly claims: readonly MatchedClaim[]
  readonly evidence: readonly MatchEvidence[]
}

/** The lines and claims that are in no pair. */
export interface Left {
  readonly lines: readonly MatchedLine[]
  readonly claims: readonly MatchedClaim[]
  readonly texts: (text: string) => Telling
}

const mostParts = 12
/** How many others are checked for a line or claim, so that the time does not grow with their number. */
const mostLooked = 120
const splitDays = { before: 1, after: 5 }
const like = 0.6
const likeLine = 0.5

/** The only two or three of these with this sum; undefined if there are none or several. */
export function findSum<T extends { readonly amount_minor: number }>(parts: readonly T[], sum: number): readonly T[] | undefined {
  let found: readonly T[] | undefined
  const some = parts.slice(0, mostParts)
  const note = (group: readonly T[]) => {
    if (group.reduce((total, { amount_minor }) => total + amount_minor, 0) !== sum) return false
    const isOther = found !== undefined && !isSameSums(found, group)
    found ??= group
    return isOther
  }
  for (const [at, one] of some.entries())
    for (const [next, two] of some.slice(at + 1).entries()) {
      if (note([one, two])) return undefined
      for (const three of some.slice(at + next + 2)) if (note([one, two, three])) return undefined
    }
  return found
}

function isSameSums(
  one: ReadonlyArray<{ readonly amount_minor: number }>,
  other: ReadonlyArray<{ readonly amount_minor: number }>,
): boolean {
  const sums = (list: typeof one) =>
    list
      .map(({ amount_minor }) => amount_minor)
      .toSorted()
      .join()
  return sums(one) === sums(other)
}

const chargeKey = ({ card_id, currency }: MatchedLine, amount_minor: number) => `${card_id} ${currency} ${amount_minor}`

/** The first items of a range of days, in a list sorted by day. */
function within<T extends { readonly day: number }>(sorted: readonly T[], from: number, to: number): T[] {
  const start = placeOf(sorted, from)
  return sorted.slice(start, Math.min(placeOf(sorted, to + 1), start + mostLooked))
}

/** Finds groups among one holder's lines and claims (sorted by day); each is in one group at most. */
export function findGroups({ lines, claims, texts }: Left): FoundGroup[] {
  const taken = new Set<MatchedLine | MatchedClaim>()
  const groups: FoundGroup[] = []
  const take = (group: FoundGroup) => {
    for (const one of [...group.lines, ...group.claims]) taken.add(one)
    groups.push(group)
  }
  // Reversed, as they are taken from the end.
  const charges = Map.groupBy(lines.toReversed(), (line) => chargeKey(line, line.amount_minor))
  for (const back of lines) {
    if (back.amount_minor >= 0) continue
    const same = charges.get(chargeKey(back, -back.amount_minor)) ?? []
    for (let first = same.at(-1); first && taken.has(first); first = same.at(-1)) same.pop()
    const charge = same.slice(-mostLooked).findLast((line) => !taken.has(line) && cancels(line, back, texts))
    if (charge) take({ kind: 'cancelled', lines: [charge, back], claims: [], evidence: ['amount', 'supplier'] })
  }
  for (const line of lines) {
    if (taken.has(line) || line.amount_minor <= 0) continue
    const near = within(claims, line.day - splitDays.after, line.day + splitDays.before)
    const found = findSum(
      near.filter((claim) => !taken.has(claim) && isPart(line, claim, texts)),
      line.amount_minor,
    )
    if (found) take({ kind: 'split', lines: [line], claims: found, evidence: ['sum', 'supplier'] })
  }
  const placeOfLine = new Map(lines.map((line, place) => [line, place]))
  const sorted = Map.groupBy(byDay(lines), ({ amount_minor }) => amount_minor < 0)
  for (const claim of claims) {
    if (taken.has(claim)) continue
    const [spent, returned] = [false, true].map((isReturned) =>
      within(sorted.get(isReturned) ?? [], claim.day + earliestDays, claim.day + (isReturned ? cancelDays : latestDays)),
    )
    const parts = [...(spent ?? []), ...(returned ?? [])].filter((line) => !taken.has(line) && isOf(line, claim, texts))
    const found = findSum(
      parts.toSorted((one, other) => (placeOfLine.get(one) ?? 0) - (placeOfLine.get(other) ?? 0)),
      claim.amount_minor,
    )
    if (found) take({ kind: 'several', lines: found, claims: [claim], evidence: ['sum', 'supplier'] })
  }
  return groups
}

/** Whether a line returns the whole amount of another one, from the same supplier. */
function cancels(line: MatchedLine, back: MatchedLine, texts: Left['texts']): boolean {
  const gap = back.day - line.day
  if (line.amount_minor !== -back.amount_minor || line.currency !== back.currency || line.card_id !== back.card_id) return false
  return gap >= 0 && gap <= cancelDays && likenessOf(line, { ...noClaim, supplier: back.text }, texts) >= likeLine
}

const noClaim = {
  kind: 'expense',
  id: 0,
  holder_id: 0,
  card_id: null,
  day: 0,
  amount_minor: 0,
  currency: '',
  supplier: null,
  description: null,
} as const

function isPart(line: MatchedLine, claim: MatchedClaim, texts: Left['texts']): boolean {
  const gap = line.day - claim.day
  if (claim.currency !== line.currency || claim.amount_minor >= line.amount_minor) return false
  if (gap < -splitDays.before || gap > splitDays.after || (claim.card_id !== null && claim.card_id !== line.card_id)) return false
  return likenessOf(line, claim, texts) >= like
}

function isOf(line: MatchedLine, claim: MatchedClaim, texts: Left['texts']): boolean {
  const gap = line.day - claim.day
  const isNear = gap >= earliestDays && gap <= (line.amount_minor < 0 ? cancelDays : latestDays)
  if (!isNear || line.currency !== claim.currency || (claim.card_id !== null && claim.card_id !== line.card_id)) return false
  return likenessOf(line, claim, texts) >= like
}
