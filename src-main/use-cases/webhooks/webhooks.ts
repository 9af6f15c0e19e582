import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { webhookRoutes } from '#shared/contract/webhooks'
import { DomainError, forbidden, invalid } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import type { Reader, Tx } from '#main/store/core/store'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import {
  deleteWebhook as storeDeletion,
  findDelivery,
  findWebhook,
  insertRedelivery,
  insertWebhook,
  updateWebhook as storeWebhook,
} from '#main/store/records/organizations/webhooks'
import { assertFresh } from '../access/preconditions'
import { isPrivateLiteral } from './outgoing-target'

/** The error for a missing webhook, which has its own text (contract section 7). */
function noWebhook(): DomainError {
  return new DomainError({ kind: 'not_found', resource: 'webhook' })
}

/**
 * Checks that the caller manages the organization's webhooks: 404 to strangers, 402 to a write if it is expired, then 403. Throws {@link
 * DomainError}.
 */
export async function assertManagesWebhooks(
  reader: Reader,
  { organization_id, user_id }: { organization_id: number; user_id: number },
  kind: 'read' | 'write' = 'read',
): Promise<void> {
  const organization = await findOrganization(reader, organization_id)
  const membership = organization && (await findMembership(reader, { organization_id, user_id }))
  if (!organization || !membership) throw noWebhook()
  if (kind === 'write' && organization.expired_at !== null) throw new DomainError({ kind: 'expired_organization' })
  if (!may('webhooks.manage', { role: membership.role })) throw forbidden()
}

/** A webhook of an organization. Throws `not_found`. */
export async function getWebhook(reader: Reader, key: { id: number; organization_id: number }): Promise<Row<'webhooks'>> {
  const webhook = await findWebhook(reader, key)
  if (!webhook) throw noWebhook()
  return webhook
}

/** A webhook that the acting user may write. Throws {@link DomainError}. */
async function getWritableWebhook(tx: Tx, key: { id: number; organization_id: number }): Promise<Row<'webhooks'>> {
  const { organization_id } = key
  await assertManagesWebhooks(tx, { organization_id, user_id: tx.actor.user_id }, 'write')
  return getWebhook(tx, key)
}

const secretBytes = 32

/**
 * Registers an address for an organization's events (contract 4.19). Rejects a private address; every delivery checks again where a name leads.
 * Throws {@link DomainError}.
 */
export async function createWebhook(
  tx: Tx,
  organization_id: number,
  { url, description = null, secret, allow_private }: z.output<typeof webhookRoutes.create.body> & { allow_private: boolean },
): Promise<Row<'webhooks'>> {
  await assertManagesWebhooks(tx, { organization_id, user_id: tx.actor.user_id }, 'write')
  if (!allow_private && isPrivateLiteral(url)) throw invalid('url', 'private_address')
  return insertWebhook(tx, { organization_id, url, description, secret: secret ?? tx.clock.secret(secretBytes) })
}

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

/** Deletes a webhook and drops its waiting deliveries (contract 4.19). Throws {@link DomainError}. */
export async function deleteWebhook(tx: Tx, key: { id: number; organization_id: number }): Promise<void> {
  const webhook = await getWritableWebhook(tx, key)
  await assertFresh(tx, webhook)
  await storeDeletion(tx, webhook)
}

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
