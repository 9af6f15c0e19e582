import type { Row } from '#db/schema'
import { type FieldError, DomainError } from '#shared/domain/errors'
import { listJoinedElsewhere } from '#main/store/records/settlements/accountability-reader'
import type { Tx } from '#main/store/core/store'
import { getVisibleExpense } from '../access/get-visible-expense'

/** The expenses to add to an accountability. */
export interface JoinedExpenses {
  readonly expense_ids: readonly number[]
  readonly payer_id: number
  /** The accountability; undefined for a new one. */
  readonly accountability_id?: number
}

/**
 * Throws {@link DomainError} under `expense_ids` for expenses that the caller cannot see, have another payer, are liquidated, or are in another
 * unfinished accountability (supplement 2, "Accountabilities"), and names them.
 */
export async function assertJoinable(tx: Tx, { expense_ids, payer_id, accountability_id }: JoinedExpenses): Promise<void> {
  const expenses: Row<'expenses'>[] = []
  for (const id of expense_ids) expenses.push(...(await findSeen(tx, id)))
  const wrong = (code: string, ids: readonly number[]): FieldError[] =>
    ids.length > 0 ? [{ code, params: { ids: [...new Set(ids)].join(', ') } }] : []
  const idsOf = (test: (expense: Row<'expenses'>) => boolean) => expenses.filter(test).map(({ id }) => id)
  const errors: FieldError[] = [
    ...(expenses.length < expense_ids.length ? [{ code: 'invalid' }] : []),
    ...wrong(
      'other_payer',
      idsOf((expense) => expense.payer_id !== payer_id),
    ),
    ...wrong(
      'already_liquidated',
      idsOf(({ status }) => status === 'liquidated'),
    ),
    ...wrong('in_accountability', await listJoinedElsewhere(tx, { expense_ids: idsOf(() => true), accountability_id })),
  ]
  if (errors.length > 0) throw new DomainError({ kind: 'invalid', fields: { expense_ids: errors } })
}

/** The expense, if the acting user may see it: a hidden one counts as missing. */
async function findSeen(tx: Tx, id: number): Promise<Row<'expenses'>[]> {
  try {
    return [(await getVisibleExpense(tx, { id, user_id: tx.actor.user_id })).expense]
  } catch (error) {
    if (error instanceof DomainError && error.refusal.kind === 'not_found') return []
    throw error
  }
}
