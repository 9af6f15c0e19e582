import type { Row } from '#db/schema'
import { DomainError } from '#shared/domain/errors'
import type { Tx } from '#main/store/core/store'
import { findDelivery } from '#main/store/records/organizations/webhook-reader'
import { insertRedelivery } from '#main/store/records/organizations/webhook-writer'
import { getWritableWebhook } from './get-webhook'

/** Sends a delivery again, as a new one behind all waiting ones (supplement 2, "Webhooks"). Throws {@link DomainError}. */
export async function redeliver(
  tx: Tx,
  { organization_id, webhook_id, id }: { organization_id: number; webhook_id: number; id: number },
): Promise<Row<'webhook_deliveries'>> {
  await getWritableWebhook(tx, { id: webhook_id, organization_id })
  const delivery = await findDelivery(tx, { id, webhook_id })
  if (!delivery) throw new DomainError({ kind: 'not_found', resource: 'webhook' })
  tx.signal({ topic: 'webhook_deliveries', organization_id })
  return insertRedelivery(tx, delivery)
}
