import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { devolutionRoutes } from '#shared/contract/advancement-devolutions'
import type { advancementRoutes } from '#shared/contract/advancements'
import { advancement } from '#shared/records/advancement'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import { newColumns } from '#shared/records/columns'
import type { Tx } from '#main/store/core/store'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertDevolution } from '#main/store/records/settlements/devolutions'
import { type Settlement, deleteSettlement, insertSettlement } from '#main/store/records/settlements/settlements'
import { assertCurrencyInUse } from '../access/amounts'
import { assertMayPay } from '../access/duties'
import { getPayer } from '../access/get-payer'
import {
  type ChangeSettlement,
  amountDetails,
  assertRelated,
  changeSettlement,
  getWritableSettlement,
  readMoney,
} from '../settlements/change-settlement'
import { resolveTags } from '../tags/resolve-tags'

/** Creates an advancement (contract 4.2). Throws {@link DomainError}: `invalid`, `forbidden`, `expired_organization`. */
export async function createAdvancement(tx: Tx, input: z.output<typeof advancementRoutes.create.body>): Promise<Settlement> {
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

/** Changes an advancement (contract 4.2). Throws {@link DomainError}. */
export async function updateAdvancement(tx: Tx, id: number, input: ChangeSettlement): Promise<Settlement> {
  const settlement = await getWritableSettlement(tx, 'advancement', { id, action: 'advancements.write' })
  return changeSettlement(tx, 'advancement', { settlement, input })
}

/** Deletes an advancement: its receiver, or managers and above of the payer, may (contract 4.2). Throws {@link DomainError}. */
export async function deleteAdvancement(tx: Tx, id: number): Promise<void> {
  const advancement = await getWritableSettlement(tx, 'advancement', { id, action: 'advancements.destroy' })
  await deleteSettlement(tx, 'advancement', advancement)
  await recordActivity(tx, { organization_id: advancement.payer_id, subject: { type: 'Advancement', id }, event: 'advancement_destroyed' })
}

/** The input for a new devolution. */
type RecordDevolution = z.output<typeof devolutionRoutes.create.body>

/** Records a devolution (contract 4.3). Throws {@link DomainError}: `invalid`, `forbidden`, `expired_organization`. */
export async function recordDevolution(tx: Tx, input: RecordDevolution): Promise<Row<'advancement_devolutions'>> {
  const payer = await getPayer(tx, input.payer, 'devolutions.write')
  await assertRelated(tx, { payer_id: payer.id, receiver_id: input.receiver })
  const money = await readMoney(tx, { amount: input.amount, currency: input.currency, receiver: input.receiver })
  const stored = await insertDevolution(tx, {
    ...newColumns(advancementDevolution.attributes, input),
    payer_id: payer.id,
    receiver_id: input.receiver,
    responsible_user_id: tx.actor.user_id,
    ...money,
  })
  await recordActivity(tx, {
    organization_id: payer.id,
    subject: { type: 'AdvancementDevolution', id: stored.id },
    event: 'advancement_devolution_created',
    details: amountDetails(stored),
  })
  return stored
}
