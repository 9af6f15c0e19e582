import { approvalRules } from '#shared/domain/duties'
import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** What some people may approve, or what needs two people (`domain/duties`). By hand: the amount with its currency. */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  rule: { kind: 'choice', values: approvalRules, wordedAs: 'approval_rule', writes: 'required', isFiltered: true },
  user_ids: { kind: 'list', of: 'users', most: 100, writes: 'extension' },
  amount: { kind: 'amount', currency: 'currency', isNullable: true, writes: 'extension' },
  currency: { kind: 'currency', isNullable: true, writes: 'extension' },
  // Only expenses with one of these tags; empty: all.
  tag_ids: { kind: 'list', of: 'tags', most: 100, writes: 'extension' },
} as const satisfies Attributes

export const approvalRule = {
  table: 'approval_rules',
  subject: 'ApprovalRule',
  segments: ['approval_rules'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: 'forward',
  isInOrganization: true,
} as const satisfies RecordDefinition
