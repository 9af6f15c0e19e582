import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { accountabilityRoutes } from '#shared/contract/accountabilities'
import { type AccountabilityRelation, canChangeExpenses } from '#shared/domain/accountability-status'
import { DomainError, forbidden, invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { accountability as definition } from '#shared/records/accountability'
import { toColumns } from '#shared/records/columns'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findAccountability, listExpenseIdsOf, listSeenExpenseIds } from '#main/store/records/settlements/accountability-reader'
import { updateAccountability as storeAccountability } from '#main/store/records/settlements/accountability-writer'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { getAudience } from '#main/store/sync/audience'
import type { Tx } from '#main/store/core/store'
import { getPayer } from '../access/get-payer'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { assertReceiver } from './assert-receiver'
import { getVisibleAccountability } from './get-visible-accountability'
import { assertJoinable } from './assert-joinable'

/** Attributes to change; absent ones stay. */
export type UpdateAccountability = z.output<typeof accountabilityRoutes.update.body>

type Accountability = Row<'accountabilities'>

/** Changes an accountability; anyone who sees it may (contract 4.5). Throws {@link DomainError}. */
export async function updateAccountability(tx: Tx, id: number, input: UpdateAccountability): Promise<Accountability> {
  const { accountability, relation } = await getVisibleAccountability(tx, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, accountability.payer_id)
  if (!may('accountabilities.write', relation)) throw forbidden()
  const before = (await listExpenseIdsOf(tx, [id])).get(id) ?? []
  const after = input.expense_ids === undefined ? before : await chosenOf(tx, accountability, { before, chosen: input.expense_ids })
  const isRejoined = after.join() !== before.join()
  if (isRejoined) assertChangeable(accountability, relation)
  await assertFresh(tx, accountability)
  const payer_id = input.payer ?? accountability.payer_id
  const receiver_id = input.receiver ?? accountability.receiver_id
  if (payer_id !== accountability.payer_id) await assertMovable(tx, { accountability, payer_id, expense_ids: before })
  if (payer_id !== accountability.payer_id || receiver_id !== accountability.receiver_id)
    await assertReceiver(tx, { payer_id, receiver_id })
  const known = new Set(before)
  const added = after.filter((expense_id) => !known.has(expense_id))
  await assertJoinable(tx, { expense_ids: added, payer_id, accountability_id: id })
  const changes = { ...toColumns(definition.attributes, input), payer_id, receiver_id }
  const stored = await storeAccountability(tx, accountability, { changes, ...(isRejoined ? { expense_ids: after } : {}) })
  const details = writtenDetails(definition.attributes, accountability, stored)
  if (isRejoined) details.push({ attribute: 'expense_ids', from: before.join(', '), to: after.join(', ') })
  if (details.length === 0) return stored
  const subject = { type: 'Accountability', id } as const
  await recordActivity(tx, { organization_id: payer_id, subject, event: 'accountability_updated', details })
  return (await findAccountability(tx, id)) ?? stored
}

/** The expenses that it will have: the chosen ones, and those that the caller does not see and so cannot have removed. */
async function chosenOf(
  tx: Tx,
  accountability: Accountability,
  { before, chosen }: { before: readonly number[]; chosen: readonly number[] },
): Promise<number[]> {
  const audience = await getAudience(tx, tx.actor.user_id)
  const seen = new Set((await listSeenExpenseIds(tx, [accountability], audience)).get(accountability.id))
  return [...new Set([...chosen, ...before.filter((id) => !seen.has(id))])].toSorted((a, b) => a - b)
}

/** Throws if its expenses are fixed: once it is in review, except for reviewers while it is ready (contract 4.5, section 7). */
function assertChangeable(accountability: Accountability, relation: AccountabilityRelation): void {
  if (!canChangeExpenses(accountability, relation)) throw new DomainError({ kind: 'accountability_not_opened' })
}

/** Throws for another payer unless the accountability is opened and has no expenses. */
async function assertMovable(
  tx: Tx,
  { accountability, payer_id, expense_ids }: { accountability: Accountability; payer_id: number; expense_ids: readonly number[] },
): Promise<void> {
  if (accountability.status !== 'opened' || expense_ids.length > 0) throw invalid('payer', 'in_use')
  await getPayer(tx, payer_id, 'accountabilities.create')
}
