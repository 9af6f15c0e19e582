/**
 * Every form whose unsaved changes are kept. A form takes its name from here, and the walk over all forms in the end-to-end tests
 * fails when it does not visit one.
 */
export const formNames = [
  'expense-edit',
  'expense-move',
  'attachment-edit',
  'review-act',
  'comment-new',
  'comment-edit',
  'advancement-new',
  'advancement-edit',
  'devolution-new',
  'reimbursement-new',
  'reimbursement-edit',
  'payment-new',
  'accountability-new',
  'accountability-edit',
  'pre-expense-convert',
  'card-new',
  'card-edit',
  'tag-new',
  'tag-edit',
  'policy-new',
  'policy-edit',
  'approval-new',
  'approval-edit',
  'stand-in-new',
  'stand-in-edit',
  'export-profile-new',
  'export-profile-edit',
  'closing-reopen',
  'retention-edit',
  'invitation-new',
  'webhook-new',
  'webhook-edit',
  'profile-edit',
  'organization-edit',
  'distance-rule-edit',
  'token-new',
  'organization-set-up',
  'join',
  'quick-capture',
] as const

/** The name of a form. */
export type FormName = (typeof formNames)[number]
