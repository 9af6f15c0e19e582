import { z } from 'zod'
import { deliveryErrors, deliveryStates, webhookEvents } from '#shared/domain/webhook-events'
import { createBody, extension, required } from './attributes'
import { optionalText, requiredText } from './fields'
import { instantText, link, pageOf } from './representations'
import { nothing, organizationParams, pageQuery, pathId } from './requests'
import { route } from './route'

/** The address for deliveries: HTTP, without credentials. */
const target = requiredText(2048).refine(
  (text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  },
  { error: 'invalid', abort: true },
)

/** The writable attributes of a webhook (contract 4.19). The address cannot be changed, and an absent secret is generated. */
export const webhookAttributes = {
  url: required(target),
  description: extension(optionalText(255)),
  secret: extension(optionalText(255)),
} as const

/** A webhook (contract 2.19). */
export const webhookRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    url: z.string(),
    description: z.string().nullable(),
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof webhookRepresentation>

/** A webhook in the responses to create and update: with its secret, which a repeated request does not show again. */
export const webhookWithSecret = webhookRepresentation.extend({ secret: z.string().nullable() }).meta({ id: 'WebhookWithSecret' })

const eventLink = z.object({ rel: z.string(), method: z.string(), url: z.string() })

/** The body of a delivery (contract 6.2). */
export const deliveryBody = z.object({
  event: z.enum(webhookEvents),
  created_at: instantText,
  expense: z.object({ id: z.int(), _links: z.array(eventLink) }),
  event_source: z.object({ id: z.int(), type: z.enum(['Expense', 'Comment', 'Attachment']), _links: z.array(eventLink) }),
})

/** An event for one webhook. Of the receiver's response only the status is stored. */
export const deliveryRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    event: z.enum(webhookEvents),
    state: z.enum(deliveryStates),
    attempts: z.int(),
    last_status: z.int().nullable(),
    last_error: z.enum(deliveryErrors).nullable(),
    next_attempt_at: instantText.nullable(),
    redelivery_of: z.int().nullable(),
    created_at: instantText,
    finished_at: instantText.nullable(),
    body: deliveryBody,
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof deliveryRepresentation>

const collection = {
  path: '/organizations/:organization_id/integrations/webhooks',
  params: organizationParams,
  query: nothing,
  action: 'webhooks.manage',
} as const
const member = {
  path: '/organizations/:organization_id/integrations/webhooks/:id',
  params: organizationParams.extend({ id: pathId }),
  query: nothing,
  action: 'webhooks.manage',
  status: 200,
} as const
const deliveries = '/organizations/:organization_id/integrations/webhooks/:webhook_id/deliveries'

/** The endpoints of webhooks (contract 4.19), and their delivery log (supplement 2, "Webhooks"). */
export const webhookRoutes = {
  list: route({
    ...collection,
    name: 'webhooks.list',
    method: 'GET',
    summary: "List an organization's webhooks",
    body: nothing,
    response: z.object({ count: z.int(), webhooks: z.array(webhookRepresentation) }),
    status: 200,
  }),
  create: route({
    ...collection,
    name: 'webhooks.create',
    method: 'POST',
    summary: 'Name an address that is told what happens to expenses',
    body: createBody(webhookAttributes),
    response: webhookWithSecret,
    secret_fields: ['secret'],
    status: 201,
  }),
  show: route({
    ...member,
    name: 'webhooks.show',
    method: 'GET',
    summary: 'Show a webhook',
    body: nothing,
    response: webhookRepresentation,
  }),
  update: route({
    ...member,
    name: 'webhooks.update',
    method: 'PUT',
    summary: 'Change the description or the secret of a webhook',
    body: z.object({ description: webhookAttributes.description.schema.optional(), secret: webhookAttributes.secret.schema.optional() }),
    response: webhookWithSecret,
    secret_fields: ['secret'],
  }),
  destroy: route({
    ...member,
    name: 'webhooks.destroy',
    method: 'DELETE',
    summary: 'Delete a webhook; what still waits for it is dropped',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  listDeliveries: route({
    name: 'webhook_deliveries.list',
    method: 'GET',
    path: deliveries,
    summary: 'List what was sent to a webhook, newest first',
    action: 'webhooks.manage',
    params: organizationParams.extend({ webhook_id: pathId }),
    query: pageQuery,
    body: nothing,
    response: pageOf('deliveries', deliveryRepresentation),
    status: 200,
  }),
  redeliver: route({
    name: 'webhook_deliveries.redeliver',
    method: 'POST',
    path: `${deliveries}/:id/redeliver`,
    summary: 'Send a delivery again, as a new one',
    action: 'webhooks.manage',
    params: organizationParams.extend({ webhook_id: pathId, id: pathId }),
    query: nothing,
    body: nothing,
    response: deliveryRepresentation,
    status: 201,
  }),
}
