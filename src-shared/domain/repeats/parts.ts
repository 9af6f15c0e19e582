import { type ComparedExpense, compareSuppliers, daysBetween, isAlike, repeatDays } from '#shared/domain/repeats'
import { compareDocuments } from '#shared/domain/repeats/document-numbers'

/** The values of an expense that decide whether it is a part of another. */
export type PartialExpense = Omit<ComparedExpense, 'receipts'>

/**
 * Whether two expenses of one claimant with different amounts may be one purchase: nearly the same day, the same supplier or description, and no
 * different document.
 */
function areOfOnePurchase(one: PartialExpense, other: PartialExpense): boolean {
  if (one.kind === 'distance' || other.kind === 'distance' || one.currency !== other.currency) return false
  if (one.receiver_id !== other.receiver_id || daysBetween(one, other) > repeatDays) return false
  if (compareDocuments(one.description, other.description) === 'different') return false
  const supplier = compareSuppliers(one, other)
  return supplier === 'same' || (supplier === 'unknown' && isAlike(one.description, other.description))
}

/** How badly a whole fits a part; lower is better. The day counts first, then whether both name the same document. */
function distanceOf(whole: PartialExpense, part: PartialExpense): number {
  return daysBetween(whole, part) + (compareDocuments(whole.description, part.description) === 'same' ? 0 : 0.5)
}

/**
 * The others with which an expense is one purchase, claimed whole and again in two parts: it is the whole and they its parts, or it is a part. Of
 * several wholes with the same amount only the best-fitting: a usual price is on many days.
 */
export function listSplit<T extends PartialExpense>(expense: PartialExpense, others: readonly T[]): T[] {
  const byAmount = Map.groupBy(others, ({ amount_minor }) => amount_minor)
  const fits = (one: T, other: T) =>
    one !== other && areOfOnePurchase(expense, one) && areOfOnePurchase(expense, other) && areOfOnePurchase(one, other)
  const isBest = (whole: PartialExpense, part: PartialExpense) =>
    !byAmount.get(whole.amount_minor)?.some((rival) => areOfOnePurchase(rival, part) && distanceOf(rival, part) < distanceOf(whole, part))
  const found = others.flatMap((one) => {
    const rest = expense.amount_minor - one.amount_minor
    const other = rest === 0 ? undefined : byAmount.get(Math.abs(rest))?.find((part) => fits(one, part))
    if (!other) return []
    return (rest > 0 ? isBest(expense, one) && isBest(expense, other) : isBest(one, expense)) ? [one, other] : []
  })
  return [...new Set(found)]
}
