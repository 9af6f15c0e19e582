import type { Found } from '#shared/readings/amount-evidence'
import type { AmountCandidate } from '#shared/readings/amounts'
import { labelOf } from '#shared/readings/amount-labels'
import { has, isCalled, isContradicted, mostRounded } from '#shared/readings/contradictions'
import type { TextRow } from '#shared/readings/rows'

/** An amount with its probability of being the total. */
export interface RankedAmount {
  readonly candidate: AmountCandidate
  readonly probability: number
}

/** The probability of a total that something speaks against: it is offered. */
const doubtful = 0.5
/** The probability of a total that is the printed one and the tip. */
const addsUp = 0.9

const refunds =
  /refund|rueckerstattung|erstattung|gutschrift|retoure|storno|avoir|remboursement|rimborso|reembolso|devolucao|devolucion|notadecredito|creditnote|terugbetaling|estorno|palautus|zwrot|返金|환불/
const noRefunds = /\bno\b|not|polic|within|cannot|non|keine?|day|tage|dias|jours|giorn/i
const suggested = /suggest|guide|sugerid|recommand|empfehl|\d\s?%/i

/**
 * What speaks against the likeliest total: a tip that is written below it or has yet to be, another total that adds up as well, amounts that
 * contradict it, a refund. Amounts that are never the total, such as change, are left out.
 */
export function withDoubts(rows: readonly TextRow[], found: readonly Found[], ranked: readonly RankedAmount[]): RankedAmount[] {
  const possible = ranked.filter(({ candidate }) => !isNever(candidate, rows))
  const [best] = possible
  if (!best) return []
  const tips = tipRows(rows)
  const tipped = withTip(tips, found, possible)
  if (tipped) return tipped
  const rivals = possible.filter((other) => other !== best && isRival(best.candidate, other.candidate, found))
  const first = Math.min(...best.candidate.parts.map(({ row }) => row))
  const isOpen = rows.some(({ text }, row) => row > first && (tips.includes(row) || /_{4}/.test(text)))
  const isDoubtful = rivals.length > 0 || isOpen || isRefund(rows, best.candidate) || isContradicted({ rows, found }, best.candidate)
  return isDoubtful ? lowered([best, ...rivals, ...possible.filter((one) => one !== best && !rivals.includes(one))]) : possible
}

const lowered = (some: readonly RankedAmount[]) => some.map((one) => ({ ...one, probability: Math.min(one.probability, doubtful) }))

/** Change, quantities and suggested tips: at no place is it called something else. */
function isNever({ parts, features }: AmountCandidate, rows: readonly TextRow[]): boolean {
  if (has(features, 'misread')) return false
  return parts.every(({ before, after, row }) => {
    const label = labelOf(before)
    if (isCalled('total', label) || isCalled('grand', label)) return /totalitem|totalqty|quantity/.test(label)
    const isSuggested = isCalled('tip', labelOf(rows[row]?.text ?? '')) && suggested.test(before + after)
    return (isCalled('change', label) && !/balance/.test(label)) || isCalled('quantity', label) || isSuggested
  })
}

/** The rows that name a tip, not one that is suggested. */
function tipRows(rows: readonly TextRow[]): number[] {
  return rows.flatMap(({ text }, at) =>
    isCalled('tip', labelOf(text.replaceAll(/[\d_.,]+/g, ''))) && !suggested.test(text) && !/inclu|inkl/i.test(text) ? [at] : [],
  )
}

/** The total with a tip that is written below the printed one. */
function withTip(tips: readonly number[], found: readonly Found[], ranked: readonly RankedAmount[]): RankedAmount[] | undefined {
  const given = found.filter(({ row }) => tips.includes(row))
  for (const { value: tip, row: at } of given) {
    const sum = ranked.find(
      ({ candidate: { value, parts } }) =>
        parts.some(({ row }) => row > at && row <= at + 3) &&
        found.some((one) => one.value === value - tip && one.row < at && has(one.features, 'total', 'grand')),
    )
    if (!sum) continue
    // That they add up says more than how each is labelled.
    const probability = Math.max(sum.probability, addsUp)
    return [{ ...sum, probability }, ...lowered(ranked.filter((other) => other !== sum))]
  }
  return undefined
}

/** Whether another amount is a total as well, and no line of the receipt says why they differ. */
function isRival(best: AmountCandidate, { value, features }: AmountCandidate, found: readonly Found[]): boolean {
  if (!has(features, 'cleanTotal', 'cleanGrand') || has(features, 'underSummary', 'misread')) return false
  const apart = Math.abs(best.value - value)
  const reasons = found.filter((one) => Math.abs(Math.abs(one.value) - apart) <= 1).map((one) => one.features)
  if (reasons.some((reason) => has(reason, 'prepaid', 'previous'))) return true
  return apart > mostRounded && !reasons.some((reason) => has(reason, 'tax', 'discount', 'rounding', 'change', 'tender', 'tip', 'sub'))
}

function isRefund(rows: readonly TextRow[], { parts }: AmountCandidate): boolean {
  const own = new Set(parts.map(({ row }) => row))
  if (parts.some(({ before, line, from }) => /-\s?\p{Sc}?\s?$/u.test(before) || line.text[from] === '-')) return true
  return rows.some(({ text }, at) => {
    const label = labelOf(text)
    if (!refunds.test(label) || noRefunds.test(text)) return false
    return own.has(at) || label.length < 24
  })
}
