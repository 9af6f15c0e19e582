import type { Row } from '#db/schema'
import { type Webhook, type WebhookDelivery, deliveryRepresentation, webhookRoutes } from '#shared/contract/webhooks'
import { parseInstant } from '#shared/domain/dates'
import { listDeliveries, listWebhooks } from '#main/store/records/organizations/webhooks'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  assertManagesWebhooks,
  createWebhook,
  deleteWebhook,
  getWebhook,
  redeliver,
  updateWebhook,
} from '#main/use-cases/webhooks/webhooks'
import { type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { memberLinks } from '../representations/records'

/** A webhook in the contract's form (2.19), without its secret. */
function toWebhook({ id, uid, version, organization_id, url, description, created_at, updated_at }: Row<'webhooks'>): Webhook {
  const href = `/organizations/${organization_id}/integrations/webhooks/${id}`
  const _links = memberLinks(href).filter(({ rel }) => rel !== 'partial_update')
  return { id, uid, version, url, description, created_at, updated_at, _links }
}

/** A delivery for the log; the stored time of the next try is more precise than shown instants. */
function toDelivery({ webhook_id: _webhook, body, ...row }: Row<'webhook_deliveries'>): WebhookDelivery {
  const sent: unknown = JSON.parse(body)
  return deliveryRepresentation.parse({ ...row, next_attempt_at: parseInstant(row.next_attempt_at) ?? null, body: sent })
}

/** Responses to create and update include the secret (contract 2.19). */
function withSecret(row: Row<'webhooks'>) {
  return { body: { ...toWebhook(row), secret: row.secret }, etag: etagOf(row) }
}

/** Webhooks and their delivery log (contract 4.19; supplement 2, "Webhooks"). */
export const webhookEndpoints: Endpoint[] = [
  query(webhookRoutes.list, async ({ reader, caller: { user_id } }, { params: { organization_id } }) => {
    await assertManagesWebhooks(reader, { organization_id, user_id })
    const webhooks = (await listWebhooks(reader, organization_id)).map(toWebhook)
    return { body: { count: webhooks.length, webhooks } }
  }),
  mutation(webhookRoutes.create, async ({ tx, deps }, { params: { organization_id }, body }) => {
    const { allow_private_targets: allow_private } = deps.settings
    return withSecret(await createWebhook(tx, organization_id, { ...body, allow_private }))
  }),
  query(webhookRoutes.show, async ({ reader, caller: { user_id } }, { params }) => {
    await assertManagesWebhooks(reader, { organization_id: params.organization_id, user_id })
    const webhook = await getWebhook(reader, params)
    return { body: toWebhook(webhook), etag: etagOf(webhook) }
  }),
  mutation(webhookRoutes.update, async ({ tx }, { params, body }) => withSecret(await updateWebhook(tx, params, body))),
  mutation(webhookRoutes.destroy, async ({ tx }, { params }) => {
    await deleteWebhook(tx, params)
    return { body: null }
  }),
  query(webhookRoutes.listDeliveries, async ({ reader, caller: { user_id } }, { params: { organization_id, webhook_id }, list }) => {
    await assertManagesWebhooks(reader, { organization_id, user_id })
    await getWebhook(reader, { id: webhook_id, organization_id })
    const { rows, frame, next } = toPage(list, await listDeliveries(reader, webhook_id, windowOf(list)))
    return { body: { ...frame, deliveries: rows.map(toDelivery) }, next }
  }),
  mutation(webhookRoutes.redeliver, async ({ tx }, { params }) => ({ body: toDelivery(await redeliver(tx, params)) })),
]
