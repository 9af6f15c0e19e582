import type { Row } from '#db/schema'
import { DomainError, forbidden } from '#shared/domain/errors'
import { may } from '#shared/domain/permissions'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import type { Reader, Tx } from '#main/store/core/store'
import { findWebhook } from '#main/store/records/organizations/webhook-reader'

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
export async function getWritableWebhook(tx: Tx, key: { id: number; organization_id: number }): Promise<Row<'webhooks'>> {
  const { organization_id } = key
  await assertManagesWebhooks(tx, { organization_id, user_id: tx.actor.user_id }, 'write')
  return getWebhook(tx, key)
}
