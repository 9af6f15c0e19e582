import type { ActivityEvent } from './activity-events'

/** The events for webhooks. Contract 6.1. */
export const webhookEvents = [
  'expense_created',
  'expense_updated',
  'expense_updated_status',
  'attachment_created',
  'attachment_updated',
  'attachment_destroyed',
  'comment_created',
  'comment_updated',
  'comment_destroyed',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/**
 * The webhook events for an expense's event that changes these attributes; contract 6.1 has none for deletion. A change that withdraws a decision is
 * two events.
 */
export function toWebhookEvents(event: ActivityEvent, attributes: readonly string[]): WebhookEvent[] {
  const isEdit = event === 'expense_status_changed' && attributes.some((name) => !ofStatus.has(name))
  const named = webhookEvents.filter((one) => one === event || (isEdit && one === 'expense_updated'))
  return attributes.includes('status') ? [...named, 'expense_updated_status'] : named
}

/** The attributes of a status change. */
const ofStatus: ReadonlySet<string> = new Set([
  'status',
  'approved_amount',
  'approved_amount_currency',
  'responsible_user_id',
  'ignore_noncompliant',
  'reimbursement_id',
])

/** The state of a delivery: to be sent, answered with 200, or given up. Contract 6.2. */
export const deliveryStates = ['waiting', 'delivered', 'dropped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Why the last try of a delivery failed. Nothing of the receiver's response is stored: a user who may write a webhook must not read responses of
 * addresses inside the server's network.
 */
export const deliveryErrors = [
  /** The response was not 200. */
  'status',
  /** The response was a redirect, which is never followed. */
  'redirected',
  'timed_out',
  'connection_refused',
  /** The connection ended, or the response was not HTTP. */
  'no_answer',
  'name_not_found',
  /** The address is private, or its name leads to a private one, which the operator does not allow. */
  'private_address',
  /** The certificate is not trusted. */
  'certificate',
  /** The webhook or its organization was deleted before the delivery was sent. */
  'webhook_deleted',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

/** The most tries of a delivery: the first and five more. Contract section 8, "Webhook redelivery". */
export const mostAttempts = 6
