import type { Found } from '#shared/readings/amount-evidence'
import type { AmountCandidate } from '#shared/readings/amounts'
import { amountLabels, labelOf } from '#shared/readings/amount-labels'
import type { Features } from '#shared/readings/classify'
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
/** The most by which totals are rounded, in minor units. */
const mostRounded = 5

const refunds =
  /refund|rueckerstattung|erstattung|gutschrift|retoure|storno|avoir|remboursement|rimborso|reembolso|devolucao|devolucion|notadecredito|creditnote|terugbetaling|estorno|palautus|zwrot|返金|환불/
const noRefunds = /\bno\b|not|polic|within|cannot|non|keine?|day|tage|dias|jours|giorn/i
const suggested = /suggest|guide|sugerid|recommand|empfehl|\d\s?%/i
const named = (name: string, text: string) => amountLabels[name]?.test(text) === true

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
  const isDoubtful = rivals.length > 0 || isOpen || isRefund(rows, best.candidate) || isContradicted(best.candidate, found)
  return isDoubtful ? lowered([best, ...rivals, ...possible.filter((one) => one !== best && !rivals.includes(one))]) : possible
}

const lowered = (some: readonly RankedAmount[]) => some.map((one) => ({ ...one, probability: Math.min(one.probability, doubtful) }))
const has = (features: Features, ...names: readonly string[]) => names.some((name) => (features[name] ?? 0) > 0)

/** Change, quantities and suggested tips: at no place is it called something else. */
function isNever({ parts, features }: AmountCandidate, rows: readonly TextRow[]): boolean {
  if (has(features, 'misread')) return false
  return parts.every(({ before, after, row }) => {
    const label = labelOf(before)
    if (named('total', label) || named('grand', label)) return /totalitem|totalqty|quantity/.test(label)
    const isSuggested = named('tip', labelOf(rows[row]?.text ?? '')) && suggested.test(before + after)
    return (named('change', label) && !/balance/.test(label)) || named('quantity', label) || isSuggested
  })
}

/** The rows that name a tip, not one that is suggested. */
function tipRows(rows: readonly TextRow[]): number[] {
  return rows.flatMap(({ text }, at) =>
    named('tip', labelOf(text.replaceAll(/[\d_.,]+/g, ''))) && !suggested.test(text) && !/inclu|inkl/i.test(text) ? [at] : [],
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

/** A total that nothing confirms has no sign that the engine is less sure of than this. */
const mostBlurred = 0.15

/** Evidence of other amounts for a total. */
const arithmetic = ['sum', 'paid', 'withTax', 'split', 'splitRounded', 'givenBelow', 'rounded', 'exact'] as const

/**
 * Whether other amounts contradict a total that none confirms: an item above that costs more, the same digits but one where it is said again, or that
 * it is only what was given, and there was change.
 */
function isContradicted({ value, parts, features }: AmountCandidate, found: readonly Found[]): boolean {
  if (parts.every((part) => named('tender', labelOf(part.before)) && !named('total', labelOf(part.before)))) {
    if (found.some((one) => has(one.features, 'change') && one.value < value)) return true
  }
  // What is printed as the total differs from what the amounts around it come to.
  if (has(features, 'misread') && !(has(features, 'paid') && has(features, 'split'))) return true
  if (has(features, 'sub') && !has(features, 'cleanTotal', 'cleanGrand')) return true
  const isRounding = (apart: number) =>
    apart <= mostRounded && found.some((one) => Math.abs(one.value) === apart && has(one.features, 'rounding'))
  const said = found.filter(
    (one) =>
      has(one.features, 'total', 'grand', 'tender') &&
      !has(one.features, 'sub', 'tax') &&
      !isRounding(Math.abs(Math.abs(one.value) - value)),
  )
  const isSaidOtherwise = said.some((one) => isMisreadAs(String(Math.abs(one.value)), String(value)) || one.value * 100 === value)
  if (isSaidOtherwise && !has(features, 'sum', 'paid', 'withTax', 'split')) return true
  if (has(features, ...arithmetic) || parts.length > 1) return false
  const row = Math.min(...parts.map((part) => part.row))
  const items = found.filter(
    (one) => one.row < row && has(one.features, 'last') && !has(one.features, 'sub', 'total', 'grand', 'tender', 'discount', 'quantity'),
  )
  const sum = items.reduce((all, one) => all + one.value, 0)
  // What is returned makes the total less than an item.
  const isMore = items.some((one) => one.value > value) && !found.some((one) => one.value < 0)
  return (features.blurred ?? 0) > mostBlurred || isMore || isMisreadAs(String(sum), String(value))
}

/** Whether one text is the other with one sign changed, missing or extra. */
function isMisreadAs(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1 || one.length < 3) return false
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  return short.slice(one.length === other.length ? at + 1 : at) === long.slice(at + 1)
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
