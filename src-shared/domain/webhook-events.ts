import type { ActivityEvent } from './activity-events'

/** The events sent to webhooks. Contract 6.1. */
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
 * The webhook events for an event of an expense that changes these attributes; contract 6.1 has none for its deletion. A change that takes a
 * decision back is two.
 */
export function toWebhookEvents(event: ActivityEvent, attributes: readonly string[]): WebhookEvent[] {
  const isEdit = event === 'expense_status_changed' && attributes.some((name) => !ofStatus.has(name))
  const named = webhookEvents.filter((one) => one === event || (isEdit && one === 'expense_updated'))
  return attributes.includes('status') ? [...named, 'expense_updated_status'] : named
}

/** What a move to another status changes. */
const ofStatus: ReadonlySet<string> = new Set([
  'status',
  'approved_amount',
  'approved_amount_currency',
  'responsible_user_id',
  'ignore_noncompliant',
  'reimbursement_id',
])

/** The state of a delivery: to be sent, sent and answered with 200, or given up. Contract 6.2. */
export const deliveryStates = ['waiting', 'delivered', 'dropped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/**
 * Why the last try at a delivery came to nothing. Nothing that the receiver says is kept: who may write a webhook may not read
 * what an address inside the server's network responds.
 */
export const deliveryErrors = [
  /** Answered, but not with 200. */
  'status',
  /** Answered with an address to go to instead, which is never followed. */
  'redirected',
  'timed_out',
  'connection_refused',
  /** The connection ended or the answer was no HTTP. */
  'no_answer',
  'name_not_found',
  /** The address is, or its name leads to, one that the operator does not allow. */
  'private_address',
  /** The certificate is not one to trust. */
  'certificate',
  /** The webhook or its organization was deleted before this was sent. */
  'webhook_deleted',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

/** Tries at one delivery: the first and up to five more. Contract section 8, "Webhook redelivery". */
export const mostAttempts = 6
