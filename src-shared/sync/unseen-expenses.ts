import type { Attributes } from './merge'

/** An accountability as a person sees it, and its expenses that they do not see. */
export interface PartlySeen {
  readonly current: Attributes
  readonly unseen: readonly number[]
}

/**
 * A record without the expenses that a person does not see. A replica does not hold them, so decisions there do not include them: they are not
 * compared, and stay whatever the person chose. The totals include them, so they cannot be compared either.
 */
export function withoutUnseen(record: Attributes, seen: ReadonlySet<number>): PartlySeen {
  const ids = expenseIdsOf(record)
  const unseen = ids.filter((id) => !seen.has(id))
  if (unseen.length === 0) return { current: record, unseen }
  const { totals: _totals, ...rest } = record
  return { current: { ...rest, expense_ids: ids.filter((id) => seen.has(id)) }, unseen }
}

/** The ids of expenses in a representation: only accountabilities have them. */
export function expenseIdsOf({ expense_ids }: Attributes): number[] {
  return Array.isArray(expense_ids) ? expense_ids.filter((id) => typeof id === 'number') : []
}

/** Adds the expenses that its author does not see to a body. */
export function keepUnseen(body: Readonly<Record<string, unknown>>, unseen: readonly number[]): Record<string, unknown> {
  if (!Array.isArray(body.expense_ids) || unseen.length === 0) return { ...body }
  const chosen: unknown[] = body.expense_ids
  return { ...body, expense_ids: [...chosen, ...unseen] }
}
