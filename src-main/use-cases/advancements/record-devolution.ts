import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { devolutionRoutes } from '#shared/contract/advancement-devolutions'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import { newColumns } from '#shared/records/columns'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import { insertDevolution } from '#main/store/records/settlements/devolution-writer'
import type { Tx } from '#main/store/core/store'
import { getPayer } from '../access/get-payer'
import { amountDetails } from '../settlements/change-settlement'
import { assertRelated, readMoney } from '../settlements/settlement-parties'

/** The input for a new devolution. */
export type RecordDevolution = z.output<typeof devolutionRoutes.create.body>

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
