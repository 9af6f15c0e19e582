import { type Telling, likeness } from '#shared/domain/statements/alike'
import { byDay } from '#shared/domain/statements/by-day'
import { type MatchEvidence, type MatchedClaim, type MatchedLine, cancelDays } from '#shared/domain/statements/compare'

/** A line with an expense that belongs to it. Returned amounts are negative. */
export interface LineOfExpense {
  readonly line: MatchedLine
  readonly claim: MatchedClaim
}

/** Money back for an expense. `isSure`: it is all that is left of the expense, and of no other. */
export interface FoundRefund extends LineOfExpense {
  readonly evidence: readonly MatchEvidence[]
  readonly isSure: boolean
}

const likeLine = 0.5

/**
 * Finds the expenses to which lines with money back belong, by the charges that have them: of the same card, currency and supplier, at most 120 days
 * before. What comes back for an expense is never more than it was.
 */
export function findRefunds(
  lines: readonly MatchedLine[],
  known: readonly LineOfExpense[],
  texts: (text: string) => Telling,
): FoundRefund[] {
  const left = new Map<number, number>()
  for (const { line, claim } of known)
    left.set(claim.id, (left.get(claim.id) ?? (claim.currency === line.currency ? claim.amount_minor : 0)) + Math.min(0, line.amount_minor))
  const leftOf = (id: number) => left.get(id) ?? 0
  const byCard = Map.groupBy(known, ({ line }) => line.card_id)
  return byDay(lines.filter(({ amount_minor }) => amount_minor < 0)).flatMap((back) => {
    const fitting = (byCard.get(back.card_id) ?? []).filter(({ line, claim }) => {
      const gap = back.day - line.day
      const isBefore = line.amount_minor > 0 && gap >= 0 && gap <= cancelDays
      if (!isBefore || line.currency !== back.currency || -back.amount_minor > leftOf(claim.id)) return false
      return likeness(texts(line.text), texts(back.text)) >= likeLine
    })
    const whole = fitting.filter(({ claim }) => leftOf(claim.id) === -back.amount_minor)
    const found = byDay((whole.length > 0 ? whole : fitting).map((one) => ({ ...one, day: one.line.day }))).at(-1)
    if (!found) return []
    const { claim } = found
    left.set(claim.id, leftOf(claim.id) + back.amount_minor)
    const isSure = new Set(whole.map((one) => one.claim.id)).size === 1
    return [{ line: back, claim, isSure, evidence: [...(whole.length > 0 ? (['amount'] as const) : []), 'card', 'supplier'] }]
  })
}
