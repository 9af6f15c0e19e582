import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { accountabilityRoutes } from '#shared/contract/accountabilities'
import { type AccountabilityRelation, canChangeExpenses } from '#shared/domain/accountability-status'
import { DomainError, forbidden, invalid, notFound } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { accountability as definition } from '#shared/records/accountability'
import { newColumns, toColumns } from '#shared/records/columns'
import type { Reader, Tx } from '#main/store/core/store'
import { writtenDetails } from '#main/store/records/conversations/activity-details'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { findRole } from '#main/store/records/organizations/membership-reader'
import { findAccountability, listExpenseIdsOf, listSeenExpenseIds } from '#main/store/records/settlements/accountability-reader'
import {
  deleteAccountability as storeDeletion,
  insertAccountability,
  updateAccountability as storeAccountability,
} from '#main/store/records/settlements/accountability-writer'
import { getAudience } from '#main/store/sync/audience'
import { getPayer } from '../access/get-payer'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { assertJoinable } from './assert-joinable'

/** An accountability and the caller's relation to it. */
interface VisibleAccountability {
  readonly accountability: Row<'accountabilities'>
  readonly relation: AccountabilityRelation
}

/** The accountability, if the caller may see it; otherwise `not_found`, as for a missing one. */
export async function getVisibleAccountability(
  reader: Reader,
  { id, user_id }: { id: number; user_id: number },
): Promise<VisibleAccountability> {
  const accountability = await findAccountability(reader, id)
  if (!accountability || accountability.deleted_at !== null) throw notFound()
  const relation = {
    role: await findRole(reader, { organization_id: accountability.payer_id, user_id }),
    is_receiver: accountability.receiver_id === user_id,
    is_holder: accountability.author_id === user_id,
  }
  if (!may('accountabilities.read', relation)) throw notFound()
  return { accountability, relation }
}

/** Throws for a receiver whom the caller may not name, or who is not a member of the payer. */
async function assertReceiver(tx: Tx, { payer_id, receiver_id }: { payer_id: number; receiver_id: number }): Promise<void> {
  const roleOf = (user_id: number) => findRole(tx, { organization_id: payer_id, user_id })
  if (receiver_id !== tx.actor.user_id) {
    const role = await roleOf(tx.actor.user_id)
    if (!may('accountabilities.create_for_others', { role })) throw forbidden()
  }
  if (!(await roleOf(receiver_id))) throw invalid('receiver', 'not_a_member')
}

/** The input for a new accountability. */
type CreateAccountability = z.output<typeof accountabilityRoutes.create.body>

/** Creates an accountability (contract 4.5). Throws {@link DomainError}. */
export async function createAccountability(tx: Tx, input: CreateAccountability): Promise<Row<'accountabilities'>> {
  const { id: payer_id } = await getPayer(tx, input.payer, 'accountabilities.create')
  const receiver_id = input.receiver
  await assertReceiver(tx, { payer_id, receiver_id })
  const expense_ids = [...new Set(input.expense_ids)].toSorted((a, b) => a - b)
  await assertJoinable(tx, { expense_ids, payer_id })
  const values = { ...newColumns(definition.attributes, input), payer_id, receiver_id, author_id: tx.actor.user_id }
  const row = await insertAccountability(tx, values, expense_ids)
  await recordActivity(tx, {
    organization_id: payer_id,
    subject: { type: 'Accountability', id: row.id },
    event: 'accountability_created',
    details: [
      { attribute: 'title', from: null, to: input.title },
      ...(expense_ids.length > 0 ? [{ attribute: 'expense_ids', from: null, to: expense_ids.join(', ') } as const] : []),
    ],
  })
  return { ...row, activities_count: 1 }
}

/** Attributes to change; absent ones stay. */
type UpdateAccountability = z.output<typeof accountabilityRoutes.update.body>

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

/** Deletes an unfinished accountability; its expenses stay unchanged (contract 4.5). Throws {@link DomainError}. */
export async function deleteAccountability(tx: Tx, id: number): Promise<void> {
  const { accountability, relation } = await getVisibleAccountability(tx, { id, user_id: tx.actor.user_id })
  await getWritableOrganization(tx, accountability.payer_id)
  if (accountability.status !== 'finished' && !may('accountabilities.destroy', relation)) throw forbidden()
  await assertFresh(tx, accountability)
  if (accountability.status === 'finished') throw new DomainError({ kind: 'not_possible', code: 'finished_accountability' })
  await storeDeletion(tx, accountability)
  await recordActivity(tx, {
    organization_id: accountability.payer_id,
    subject: { type: 'Accountability', id },
    event: 'accountability_destroyed',
  })
}
