import { exponentOf } from '#shared/domain/currencies'
import { type Telling, likeness } from '#shared/domain/statements/alike'

/** The evidence that a card line and an expense, or a receipt, are one purchase. */
export const matchEvidence = [
  ...([
    'amount',
    'original_amount',
    'rate',
    'usual_rate',
    'tip',
    'card',
    'day',
    'days_later',
    'supplier',
    'supplier_in_part',
    'sum',
  ] as const),
]
export type MatchEvidence = (typeof matchEvidence)[number]

/** A line of a card. `day`: whole days since 1970; spent amounts are positive. `holder_id`: the card's user. */
export interface MatchedLine {
  readonly id: number
  readonly card_id: number
  readonly holder_id: number
  readonly day: number
  readonly amount_minor: number
  readonly currency: string
  readonly text: string
  readonly original_minor: number | null
  readonly original_currency: string | null
  /** The bank's rate: units of the card's currency per unit of the other. */
  readonly rate: number | null
}

/** An expense, or a receipt in the inbox with its reading. */
export interface MatchedClaim {
  readonly kind: 'expense' | 'receipt'
  readonly id: number
  readonly holder_id: number
  /** The card that it already names. */
  readonly card_id: number | null
  readonly day: number
  readonly amount_minor: number
  readonly currency: string
  readonly supplier: string | null
  readonly description: string | null
}

/** The usual cost of one unit of a currency in another on a day; undefined if unknown. */
export type UsualRate = (from: string, to: string, day: number) => number | undefined

/** The certainty of a pair as the logarithm of its odds, with the evidence. */
export interface Comparison {
  readonly score: number
  readonly evidence: readonly MatchEvidence[]
}

/** How many days before and after its expense's day a purchase may be posted. */
export const earliestDays = -3
export const latestDays = 12
/** How many days after a purchase its money comes back at the latest. */
export const cancelDays = 120
const highestTip = 0.25
const usualTip = 0.155
/** How far banks' rates are from usual ones, including fee and tax. */
const usualSpread = { below: 0.03, above: 0.09 }
const rateNoise = 0.006

type Sum = { readonly score: number; readonly evidence: MatchEvidence }

/** Compares amounts; undefined if they cannot be one purchase. */
function compareSums(line: MatchedLine, claim: MatchedClaim, usualRate: UsualRate): Sum | undefined {
  if (line.amount_minor <= 0) return undefined
  if (claim.currency === line.currency) {
    if (claim.amount_minor === line.amount_minor) return { score: 2.6, evidence: 'amount' }
    const over = line.amount_minor / claim.amount_minor - 1
    return over > 0 && over <= highestTip ? { score: over <= usualTip ? 0.2 : -0.8, evidence: 'tip' } : undefined
  }
  if (claim.currency === line.original_currency && line.original_minor !== null)
    return claim.amount_minor === line.original_minor ? { score: 3, evidence: 'original_amount' } : undefined
  const cost = (rate: number) =>
    line.amount_minor / 10 ** exponentOf(line.currency) / ((claim.amount_minor / 10 ** exponentOf(claim.currency)) * rate) - 1
  if (claim.currency === line.original_currency && line.rate !== null)
    return Math.abs(cost(line.rate)) <= rateNoise ? { score: 2.4, evidence: 'rate' } : undefined
  if (line.original_currency !== null && claim.currency !== line.original_currency) return undefined
  const usual = usualRate(claim.currency, line.currency, line.day)
  if (usual === undefined) return undefined
  const off = cost(usual)
  return off >= -usualSpread.below && off <= usualSpread.above ? { score: 0.4, evidence: 'usual_rate' } : undefined
}

function compareDays(gap: number): { readonly score: number; readonly evidence: MatchEvidence[] } {
  if (gap >= 0 && gap <= 2) return { score: 1.4 - 0.2 * gap, evidence: ['day'] }
  if (gap > 2) return { score: gap <= 5 ? 1.5 - 0.3 * gap : -0.3 * (gap - 4), evidence: ['days_later'] }
  return { score: gap, evidence: [] }
}

/** The score for how much of an expense's words is in a line's text. */
export function textScore(like: number): { readonly score: number; readonly evidence: MatchEvidence[] } {
  if (like >= 0.6) return { score: 3.2, evidence: ['supplier'] }
  if (like >= 0.4) return { score: 1.2, evidence: ['supplier_in_part'] }
  return { score: like >= 0.25 ? -0.2 : -1.2, evidence: [] }
}

/** Compares a line and an expense of its holder; undefined if they are two purchases. */
export function comparePair(
  line: MatchedLine,
  claim: MatchedClaim,
  { texts, usualRate }: { texts: (text: string) => Telling; usualRate: UsualRate },
): Comparison | undefined {
  const gap = line.day - claim.day
  if (gap < earliestDays || gap > latestDays) return undefined
  if (claim.card_id !== null && claim.card_id !== line.card_id) return undefined
  const sum = compareSums(line, claim, usualRate)
  if (!sum) return undefined
  const like = likenessOf(line, claim, texts)
  const text = textScore(like)
  const isExact = sum.evidence === 'amount' || sum.evidence === 'original_amount'
  // A tip or a rate alone proves little: without the supplier it is another purchase.
  if (!isExact && like < 0.4) return undefined
  const days = compareDays(gap)
  const card = claim.card_id === null ? { score: 0, evidence: [] } : { score: 2, evidence: ['card' as const] }
  return {
    score: sum.score + text.score + days.score + card.score,
    evidence: [sum.evidence, ...text.evidence, ...days.evidence, ...card.evidence],
  }
}

/** The similarity of a line's text to an expense's supplier, or to its description if it names none. */
export function likenessOf(line: MatchedLine, claim: MatchedClaim, texts: (text: string) => Telling): number {
  const of = (words: string | null) => (words === null || words === '' ? 0 : likeness(texts(line.text), texts(words)))
  return Math.max(of(claim.supplier), claim.supplier ? 0 : of(claim.description))
}
