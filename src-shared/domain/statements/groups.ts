import type { Telling } from './alike'
import { type MatchEvidence, type MatchedClaim, type MatchedLine, earliestDays, latestDays, likenessOf } from './compare'

/** Lines and expenses that add up: one line for several expenses, several lines for one, and lines that cancel each other out. */
export interface FoundGroup {
  readonly kind: 'split' | 'several' | 'cancelled'
  readonly lines: readonly MatchedLine[]
  readonly claims: readonly MatchedClaim[]
  readonly evidence: readonly MatchEvidence[]
}

/** What is looked through: what no pair has taken. */
export interface Left {
  readonly lines: readonly MatchedLine[]
  readonly claims: readonly MatchedClaim[]
  readonly texts: (text: string) => Telling
}

const mostParts = 12
const splitDays = { before: 1, after: 5 }
const cancelDays = 120
const like = 0.6
const likeLine = 0.5

/** The only two or three of these that add up to the sum; undefined where there are none, or several such. */
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

/** Finds the groups among the lines and claims of one holder; each is in one group at most. */
export function findGroups({ lines, claims, texts }: Left): FoundGroup[] {
  const taken = new Set<MatchedLine | MatchedClaim>()
  const groups: FoundGroup[] = []
  const take = (group: FoundGroup) => {
    for (const one of [...group.lines, ...group.claims]) taken.add(one)
    groups.push(group)
  }
  for (const back of lines) {
    if (back.amount_minor >= 0) continue
    const charge = lines.find((line) => !taken.has(line) && cancels(line, back, texts))
    if (charge) take({ kind: 'cancelled', lines: [charge, back], claims: [], evidence: ['amount', 'supplier'] })
  }
  for (const line of lines) {
    if (taken.has(line) || line.amount_minor <= 0) continue
    const parts = claims.filter((claim) => !taken.has(claim) && isPart(line, claim, texts))
    const found = findSum(parts, line.amount_minor)
    if (found) take({ kind: 'split', lines: [line], claims: found, evidence: ['sum', 'supplier'] })
  }
  for (const claim of claims) {
    if (taken.has(claim)) continue
    const parts = lines.filter((line) => !taken.has(line) && isOf(line, claim, texts))
    const found = findSum(parts, claim.amount_minor)
    if (found) take({ kind: 'several', lines: found, claims: [claim], evidence: ['sum', 'supplier'] })
  }
  return groups
}

/** Whether a line gives back all that another took, from the same supplier. */
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
