import type { Row } from '#db/schema'
import { notFound } from '#shared/domain/errors'
import { canSeeExpense } from '#shared/domain/expense-access'
import type { Role } from '#shared/domain/roles'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findParticipant } from '#main/store/records/conversations/participants'
import type { Reader } from '#main/store/core/store'

/** An expense and the caller's relation to it. */
export interface VisibleExpense {
  readonly expense: Row<'expenses'>
  readonly relation: { readonly role: Role | undefined; readonly is_receiver: boolean }
}

/**
 * The expense, if the caller may see it; otherwise 404, as for a missing one (supplement 2, "Who sees"). A deleted one only if `deleted` is set: its
 * comments are 410, not 404.
 */
export async function getVisibleExpense(
  reader: Reader,
  { id, user_id, deleted = false }: { id: number; user_id: number; deleted?: boolean },
): Promise<VisibleExpense> {
  const expense = await findExpense(reader, id)
  if (!expense || (expense.deleted_at !== null && !deleted)) throw notFound()
  const role = await findRole(reader, { organization_id: expense.payer_id, user_id })
  const is_receiver = expense.receiver_id === user_id
  const isSeen =
    canSeeExpense({ role, is_receiver, is_participant: false }) ||
    ((await findParticipant(reader, { kind: 'expense', id }, user_id)) !== undefined &&
      canSeeExpense({ role, is_receiver, is_participant: true }))
  if (!isSeen) throw notFound()
  return { expense, relation: { role, is_receiver } }
}
