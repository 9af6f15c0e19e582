import type { ActivityEvent } from './activity-events'

/** The events for notifications by e-mail and mobile: `email_on_<event>` and `mobile_on_<event>` in the preferences. Contract 2.18. */
export const notificationEvents = [
  'expense_created',
  'expense_updated',
  'expense_destroyed',
  'expense_status_changed',
  'attachment_created',
  'attachment_destroyed',
  'comment_created',
  'comment_updated',
  'comment_destroyed',
  'organization_add_member',
  'organization_remove_member',
  'organization_left',
  'organization_role_changed',
  'advancement_created',
  'advancement_updated',
  'advancement_destroyed',
  'reimbursement_created',
  'reimbursement_updated',
  'reimbursement_destroyed',
  'advancement_devolution_created',
] as const

/** Events of the audit trail without switches of their own, and those whose switches they have. */
export const likeNotificationEvents: Readonly<Partial<Record<ActivityEvent, NotificationEvent>>> = {
  // A question, as a comment.
  statement_line_asked: 'comment_created',
}

/** An event for notifications. */
export type NotificationEvent = (typeof notificationEvents)[number]
