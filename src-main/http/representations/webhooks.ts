import type { Row } from '#db/schema'
import { type Webhook, type WebhookDelivery, deliveryRepresentation } from '#shared/contract/webhooks'
import { parseInstant } from '#shared/domain/dates'
import { memberLinks } from './links'

/** A webhook in the contract's form (2.19), without its secret. */
export function toWebhook({ id, uid, version, organization_id, url, description, created_at, updated_at }: Row<'webhooks'>): Webhook {
  const href = `/organizations/${organization_id}/integrations/webhooks/${id}`
  const _links = memberLinks(href).filter(({ rel }) => rel !== 'partial_update')
  return { id, uid, version, url, description, created_at, updated_at, _links }
}

/** A delivery for the log; the stored time of the next try is more precise than shown instants. */
export function toDelivery({ webhook_id: _webhook, body, ...row }: Row<'webhook_deliveries'>): WebhookDelivery {
  const sent: unknown = JSON.parse(body)
  return deliveryRepresentation.parse({ ...row, next_attempt_at: parseInstant(row.next_attempt_at) ?? null, body: sent })
}
