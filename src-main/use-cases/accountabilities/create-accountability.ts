import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { accountabilityRoutes } from '#shared/contract/accountabilities'
import { accountability } from '#shared/records/accountability'
import { newColumns } from '#shared/records/columns'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertAccountability } from '#main/store/records/settlements/accountability-writer'
import type { Tx } from '#main/store/core/store'
import { getPayer } from '../access/get-payer'
import { assertReceiver } from './assert-receiver'
import { assertJoinable } from './assert-joinable'

/** The input for a new accountability. */
export type CreateAccountability = z.output<typeof accountabilityRoutes.create.body>

/** Creates an accountability (contract 4.5). Throws {@link DomainError}. */
export async function createAccountability(tx: Tx, input: CreateAccountability): Promise<Row<'accountabilities'>> {
  const { id: payer_id } = await getPayer(tx, input.payer, 'accountabilities.create')
  const receiver_id = input.receiver
  await assertReceiver(tx, { payer_id, receiver_id })
  const expense_ids = [...new Set(input.expense_ids)].toSorted((a, b) => a - b)
  await assertJoinable(tx, { expense_ids, payer_id })
  const values = { ...newColumns(accountability.attributes, input), payer_id, receiver_id, author_id: tx.actor.user_id }
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
