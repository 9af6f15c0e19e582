import type { Tx } from '#main/store/core/store'
import { deleteWebhook as storeDeletion } from '#main/store/records/organizations/webhook-writer'
import { assertFresh } from '../access/preconditions'
import { getWritableWebhook } from './get-webhook'

/** Deletes a webhook and drops its waiting deliveries (contract 4.19). Throws {@link DomainError}. */
export async function deleteWebhook(tx: Tx, key: { id: number; organization_id: number }): Promise<void> {
  const webhook = await getWritableWebhook(tx, key)
  await assertFresh(tx, webhook)
  await storeDeletion(tx, webhook)
}
