/**
 * Every event of the audit trail. Each has a sentence in both languages, `activities:events.<event>`, made from its
 * details when it is read. Supplement 2, "Activities".
 */
export const activityEvents = [
  'expense_created',
  'expense_updated',
  'expense_status_changed',
  'expense_destroyed',
  'comment_created',
  'comment_updated',
  'comment_destroyed',
  'attachment_created',
  'attachment_updated',
  'attachment_destroyed',
  'participant_destroyed',
  'reimbursement_created',
  'reimbursement_updated',
  'reimbursement_destroyed',
  'advancement_created',
  'advancement_updated',
  'advancement_destroyed',
  'advancement_devolution_created',
  'advancement_devolution_updated',
  'advancement_devolution_destroyed',
  'accountability_created',
  'accountability_updated',
  'accountability_status_changed',
  'accountability_destroyed',
  'pre_expense_created',
  'pre_expense_updated',
  'pre_expense_ignored',
  'pre_expense_restored',
  'pre_expense_converted',
  'pre_expense_destroyed',
  'corporative_card_created',
  'corporative_card_updated',
  'corporative_card_destroyed',
  'organization_created',
  'organization_updated',
  'organization_destroyed',
  'organization_add_member',
  'organization_remove_member',
  'organization_left',
  'organization_role_changed',
  'organization_invite_member',
  'organization_link_invitation',
  'organization_withdraw_invitation',
  'distance_rule_updated',
  'tag_created',
  'tag_updated',
  'tag_destroyed',
  'policy_created',
  'policy_updated',
  'policy_destroyed',
  'approval_rule_created',
  'approval_rule_updated',
  'approval_rule_destroyed',
  'stand_in_created',
  'stand_in_updated',
  'stand_in_destroyed',
  'repeat_decision_created',
  'repeat_decision_updated',
  'repeat_decision_destroyed',
  'saved_view_created',
  'saved_view_updated',
  'saved_view_destroyed',
  'webhook_created',
  'webhook_updated',
  'webhook_destroyed',
  'user_created',
  'preferences_updated',
  'notification_preferences_updated',
  'device_created',
  'device_destroyed',
  'api_token_created',
  'api_token_revoked',
] as const

/** What happened. */
export type ActivityEvent = (typeof activityEvents)[number]

/** The event of a record of this subject that was created, updated or destroyed. Throws where the trail has no such event. */
export function storedEvent(subject: string, what: 'created' | 'updated' | 'destroyed'): ActivityEvent {
  const name = `${subject.replaceAll(/\B[A-Z]/g, '_$&').toLowerCase()}_${what}`
  const event = activityEvents.find((one) => one === name)
  if (event === undefined) throw new Error(`The audit trail has no event ${name}.`)
  return event
}
