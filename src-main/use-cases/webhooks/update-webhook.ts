import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { webhookRoutes } from '#shared/contract/webhooks'
import type { Tx } from '#main/store/core/store'
import { updateWebhook as storeWebhook } from '#main/store/records/organizations/webhook-writer'
import { assertFresh } from '../access/preconditions'
import { getWritableWebhook } from './get-webhook'

/** Changes a webhook's description or secret; a blank secret counts as absent (contract 4.19). Throws {@link DomainError}. */
export async function updateWebhook(
  tx: Tx,
  key: { id: number; organization_id: number },
  { description, secret }: z.output<typeof webhookRoutes.update.body>,
): Promise<Row<'webhooks'>> {
  const webhook = await getWritableWebhook(tx, key)
  await assertFresh(tx, webhook)
  return storeWebhook(tx, webhook, { description, secret: secret ?? undefined })
}
