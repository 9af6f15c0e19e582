import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { webhookRoutes } from '#shared/contract/webhooks'
import { invalid } from '#shared/domain/errors'
import type { Tx } from '#main/store/core/store'
import { insertWebhook } from '#main/store/records/organizations/webhook-writer'
import { isPrivateLiteral } from './outgoing-target'
import { assertManagesWebhooks } from './get-webhook'

/** The input for a new webhook. */
export type CreateWebhook = z.output<typeof webhookRoutes.create.body>

const secretBytes = 32

/**
 * Registers an address for an organization's events (contract 4.19). Rejects a private address; every delivery checks again where a name leads.
 * Throws {@link DomainError}.
 */
export async function createWebhook(
  tx: Tx,
  organization_id: number,
  { url, description = null, secret, allow_private }: CreateWebhook & { allow_private: boolean },
): Promise<Row<'webhooks'>> {
  await assertManagesWebhooks(tx, { organization_id, user_id: tx.actor.user_id }, 'write')
  if (!allow_private && isPrivateLiteral(url)) throw invalid('url', 'private_address')
  return insertWebhook(tx, { organization_id, url, description, secret: secret ?? tx.clock.secret(secretBytes) })
}
