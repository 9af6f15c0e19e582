import type { z } from 'zod'
import type { advancementRoutes } from '#shared/contract/advancements'
import { advancement } from '#shared/records/advancement'
import { newColumns } from '#shared/records/columns'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import type { Settlement } from '#main/store/records/settlements/settlement-tables'
import { insertSettlement } from '#main/store/records/settlements/settlement-writer'
import type { Tx } from '#main/store/core/store'
import { assertCurrencyInUse } from '../access/amounts'
import { assertMayPay } from '../access/duties'
import { getPayer } from '../access/get-payer'
import { amountDetails } from '../settlements/change-settlement'
import { assertRelated, readMoney } from '../settlements/settlement-parties'
import { resolveTags } from '../tags/resolve-tags'

/** The input for a new advancement. */
export type CreateAdvancement = z.output<typeof advancementRoutes.create.body>

/** Creates an advancement (contract 4.2). Throws {@link DomainError}: `invalid`, `forbidden`, `expired_organization`. */
export async function createAdvancement(tx: Tx, input: CreateAdvancement): Promise<Settlement> {
  const payer = await getPayer(tx, input.payer, 'advancements.write')
  await assertRelated(tx, { payer_id: payer.id, receiver_id: input.receiver })
  await assertMayPay(tx, { payer_id: payer.id, receiver_id: input.receiver, expense_ids: [] })
  const money = await readMoney(tx, { amount: input.amount, currency: input.currency, receiver: input.receiver })
  assertCurrencyInUse(money.currency)
  const values = {
    ...newColumns(advancement.attributes, input),
    payer_id: payer.id,
    receiver_id: input.receiver,
    responsible_user_id: tx.actor.user_id,
    ...money,
  }
  const tags = await resolveTags(tx, payer, input.tags ?? [])
  const stored = await insertSettlement(tx, 'advancement', { values, tags })
  await recordActivity(tx, {
    organization_id: payer.id,
    subject: { type: 'Advancement', id: stored.id },
    event: 'advancement_created',
    details: amountDetails(stored),
  })
  return { ...stored, activities_count: 1 }
}
