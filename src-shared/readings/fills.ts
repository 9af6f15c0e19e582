import { type FieldCandidate, type FieldReading, type ReadField, mostTrustedFirst } from '#shared/readings/reading'

/**
 * The probability from which a reading fills an empty field; below it, the value is only offered. Above 1: never filled. Tuned on generated receipts
 * and on real ones that are not part of the program.
 */
const fillsFrom: Readonly<Record<ReadField, number>> = {
  date: 0.7,
  time: 2,
  total: 0.65,
  currency: 0.95,
  // A new name is only offered: engines misread letters and lose accents.
  supplier_name: 2,
  supplier_tax_id: 0.99,
  document_number: 2,
  tax: 2,
}

/** Whether a value is likely enough to fill a field, if nothing else speaks against it. */
export function isLikely({ field, probability }: FieldCandidate): boolean {
  return probability >= fillsFrom[field]
}

/**
 * Decides which values fill empty fields, the one place that does: the most trusted of each field, if it is likely enough, and an amount only with its
 * currency.
 */
export function withFills(candidates: readonly FieldCandidate[]): FieldReading[] {
  const best = new Map<ReadField, FieldCandidate>()
  for (const one of mostTrustedFirst(candidates)) if (!best.has(one.field)) best.set(one.field, one)
  const currency = best.get('currency')
  const isPriced = ({ field, currency: own }: FieldCandidate) =>
    field !== 'total' || (currency !== undefined && own === currency.value && isLikely(currency))
  return candidates.map((one) => ({ ...one, fills: one === best.get(one.field) && isLikely(one) && isPriced(one) }))
}
