import { type Telling, tellingOf } from '#shared/domain/statements/alike'
import { byDay, placeOf } from '#shared/domain/statements/by-day'
import {
  type Comparison,
  type MatchEvidence,
  type MatchedClaim,
  type MatchedLine,
  type UsualRate,
  comparePair,
  earliestDays,
  latestDays,
} from '#shared/domain/statements/compare'
import { type FoundGroup, findGroups } from '#shared/domain/statements/groups'
import { type LineOfExpense, findRefunds } from '#shared/domain/statements/refunds'

/** Matches card lines with expenses: which belong together, with what certainty, and what is left over on both sides. */

/** Lines and expenses, or receipts, that belong together. `score`: 1 to 99; `isSure`: can be accepted without checking each. */
export interface Proposal {
  readonly kind: 'pair' | 'refund' | FoundGroup['kind']
  readonly lines: readonly MatchedLine[]
  readonly claims: readonly MatchedClaim[]
  readonly evidence: readonly MatchEvidence[]
  readonly score: number
  readonly isSure: boolean
}

interface Pair extends Comparison {
  readonly line: MatchedLine
  readonly claim: MatchedClaim
}

/** The scores (log odds) from which a pair is shown, and from which it is certain if no other pair comes within `margin`. */
const shown = 0.5
const sure = 4.2
const margin = 0.8
const rareDays = 20
const roundSum = 500
const rareScore = { odd: 2.6, round: 1.8 }
/**
 * How many of a holder's expenses within days are compared with a line. If there are more than `all`, those with its amount (up to `exact`) and
 * others (up to `near`), closest days first, so that the time per line does not grow.
 */
const compared = { all: 120, exact: 60, near: 60 }

/**
 * Matches lines with claims of the same holders, most certain first, and money back with the expenses of lines that are `matched` already. Lines and
 * claims without a certain proposal are left over.
 */
export function matchLines(
  lines: readonly MatchedLine[],
  claims: readonly MatchedClaim[],
  { usualRate = () => undefined, matched = [] }: { usualRate?: UsualRate; matched?: readonly LineOfExpense[] } = {},
): Proposal[] {
  const known = new Map<string, Telling>()
  const texts = (text: string) => {
    const telling = known.get(text) ?? tellingOf(text)
    known.set(text, telling)
    return telling
  }
  const byHolder = Map.groupBy(claims, ({ holder_id }) => holder_id)
  const proposals: Proposal[][] = []
  for (const [holder_id, own] of Map.groupBy(lines, (line) => line.holder_id)) {
    const theirs = byDay(byHolder.get(holder_id) ?? [])
    const candidatesOf = toCandidates(theirs)
    const pairs: Pair[] = []
    for (const line of own) {
      for (const claim of candidatesOf(line)) {
        const comparison = comparePair(line, claim, { texts, usualRate })
        if (comparison && comparison.score >= shown) pairs.push({ line, claim, ...comparison })
      }
    }
    const { sureOnes, others } = assign(withRare(pairs, own, theirs))
    const taken = new Set<unknown>(sureOnes.flatMap(({ line, claim }) => [line, claim]))
    const left = { lines: own.filter((line) => !taken.has(line)), claims: theirs.filter((claim) => !taken.has(claim)), texts }
    const groups = findGroups(left)
    const grouped = new Set<unknown>(groups.flatMap((group) => [...group.lines, ...group.claims]))
    proposals.push(
      sureOnes.map((pair) => toProposal(pair, true)),
      groups.map((group) => ({ ...group, score: 95, isSure: true })),
      others.filter(({ line, claim }) => !grouped.has(line) && !grouped.has(claim)).map((pair) => toProposal(pair, false)),
    )
  }
  const grouped = new Set(proposals.flat().flatMap((one) => one.lines))
  const refunds = findRefunds(
    lines.filter((line) => !grouped.has(line)),
    matched,
    texts,
  )
  proposals.push(
    refunds.map(({ line, claim, evidence, isSure }) => ({
      kind: 'refund',
      lines: [line],
      claims: [claim],
      evidence,
      isSure,
      score: isSure ? 95 : 60,
    })),
  )
  return proposals.flat().toSorted((one, other) => Number(other.isSure) - Number(one.isSure) || other.score - one.score)
}

const sumKey = (amount_minor: number, currency: string | null) => `${currency} ${amount_minor}`

/** A holder's claims, sorted by day, to compare with a line; called for one line after another. */
function toCandidates(theirs: readonly MatchedClaim[]): (line: MatchedLine) => Iterable<MatchedClaim> {
  const ofSums = Map.groupBy(theirs, ({ amount_minor, currency }) => sumKey(amount_minor, currency))
  /** How many lines of a day and amount were requested: each begins with another one of equal claims. */
  const asked = new Map<string, number>()
  return (line) => {
    const [from, to] = [placeOf(theirs, line.day - latestDays), placeOf(theirs, line.day - earliestDays + 1)]
    if (to - from <= compared.all) return theirs.slice(from, to)
    const key = sumKey(line.amount_minor, line.currency)
    const rank = asked.get(`${key} ${line.day}`) ?? 0
    asked.set(`${key} ${line.day}`, rank + 1)
    const around = (list: readonly MatchedClaim[], place: number, count: number) => {
      const start = Math.max(0, Math.min(place - count / 2, list.length - count))
      return list.slice(start, start + count)
    }
    const exact = [key, sumKey(line.original_minor ?? 0, line.original_currency)].flatMap((sum) => {
      const same = ofSums.get(sum) ?? []
      return around(same, placeOf(same, line.day) + rank, compared.exact)
    })
    return new Set([...exact, ...around(theirs, placeOf(theirs, line.day), compared.near)])
  }
}

/** Raises the certainty of an amount that the holder had nowhere else for weeks, more so with odd cents. */
function withRare(pairs: readonly Pair[], lines: readonly MatchedLine[], claims: readonly MatchedClaim[]): Pair[] {
  const sums = Map.groupBy<string, MatchedLine | MatchedClaim>(byDay([...lines, ...claims]), ({ amount_minor, currency }) =>
    sumKey(amount_minor, currency),
  )
  return pairs.map((pair) => {
    if (!pair.evidence.includes('amount') || pair.evidence.includes('supplier')) return pair
    const same = sums.get(sumKey(pair.line.amount_minor, pair.line.currency)) ?? []
    const { day } = pair.line
    return placeOf(same, day + rareDays + 1) - placeOf(same, day - rareDays) === 2
      ? { ...pair, score: pair.score + (pair.line.amount_minor % roundSum === 0 ? rareScore.round : rareScore.odd) }
      : pair
  })
}

function toProposal({ line, claim, evidence, score }: Pair, isSure: boolean): Proposal {
  const odds = 1 / (1 + Math.exp(-score / 1.4))
  return { kind: 'pair', lines: [line], claims: [claim], evidence, isSure, score: Math.max(1, Math.min(99, Math.round(odds * 100))) }
}

/** Gives each line its best expense, best pairs first. A pair is certain if no other is close. */
function assign(pairs: readonly Pair[]): { readonly sureOnes: Pair[]; readonly others: Pair[] } {
  const sorted = pairs.toSorted((one, other) => other.score - one.score)
  const ofLine = Map.groupBy(sorted, ({ line }) => line.id)
  const ofClaim = Map.groupBy(sorted, keyOf)
  const claimOf = new Map<number, Pair>()
  const lineOf = new Map<string, Pair>()
  for (const pair of sorted) {
    if (claimOf.has(pair.line.id) || lineOf.has(keyOf(pair))) continue
    claimOf.set(pair.line.id, pair)
    lineOf.set(keyOf(pair), pair)
  }
  const isRivalled = (pair: Pair) => {
    const otherClaims = (ofLine.get(pair.line.id) ?? []).some(
      (rival) =>
        rival !== pair && pair.score - rival.score < margin && !isSettled({ pair, rival, place: lineOf.get(keyOf(rival)) }, ofLine),
    )
    const otherLines = (ofClaim.get(keyOf(pair)) ?? []).some(
      (rival) =>
        rival !== pair && pair.score - rival.score < margin && !isSettled({ pair, rival, place: claimOf.get(rival.line.id) }, ofLine),
    )
    return otherClaims || otherLines
  }
  const chosen = [...claimOf.values()]
  const sureOnes = chosen.filter((pair) => pair.score >= sure && !isRivalled(pair))
  const settled = new Set(sureOnes)
  const taken = new Set<unknown>(sureOnes.flatMap(({ line, claim }) => [line, claim]))
  return { sureOnes, others: sorted.filter((pair) => !settled.has(pair) && !taken.has(pair.line) && !taken.has(pair.claim)) }
}

const keyOf = ({ claim }: Pick<Pair, 'claim'>) => `${claim.kind} ${claim.id}`

/**
 * Whether a rival pair is settled: what it shares with this pair went to another partner that fits better than crosswise, or that is its twin, so
 * that the choice does not matter.
 */
function isSettled(
  { pair, rival, place }: { pair: Pair; rival: Pair; place: Pair | undefined },
  ofLine: ReadonlyMap<number, readonly Pair[]>,
): boolean {
  const [mine, theirs] = rival.line === pair.line ? [pair.claim, rival.claim] : [pair.line, rival.line]
  if (isTwin(mine, theirs)) return true
  if (!place) return false
  if (isTwin(pair.claim, place.claim) && isTwin(pair.claim, rival.claim)) return true
  if (isTwin(pair.line, place.line) && isTwin(pair.line, rival.line)) return true
  // Crosswise: the rival, and the other line with this pair's claim.
  const otherLine = rival.line === pair.line ? place.line : rival.line
  const otherClaim = rival.line === pair.line ? pair.claim : place.claim
  const [crossLine, crossClaim] = rival.line === pair.line ? [otherLine, otherClaim] : [pair.line, place.claim]
  const cross = (ofLine.get(crossLine.id) ?? []).find(({ claim }) => claim === crossClaim)
  return pair.score + place.score - rival.score - (cross?.score ?? 0) >= margin
}

type Side = MatchedLine | MatchedClaim
function isTwin(one: Side, other: Side): boolean {
  const textOf = (side: Side) => ('text' in side ? side.text : (side.supplier ?? side.description))
  return (
    one.day === other.day && one.amount_minor === other.amount_minor && one.currency === other.currency && textOf(one) === textOf(other)
  )
}
