import { policyConditions, policyWeights } from '#shared/domain/policies'
import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from '#shared/records/definition'

/** A policy of an organization. By hand: the amount with its currency, and the column `versions`, all that it has said. */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  weight: { kind: 'choice', values: policyWeights, wordedAs: 'policy_weight', writes: 'required', isFiltered: true },
  condition: { kind: 'choice', values: policyConditions, wordedAs: 'policy_condition', writes: 'required', isFiltered: true },
  amount: { kind: 'amount', currency: 'currency', isNullable: true, writes: 'extension' },
  currency: { kind: 'currency', isNullable: true, writes: 'extension' },
  days: { kind: 'count', min: 0, max: 10_000, writes: 'extension' },
  tag_id: { kind: 'record', to: 'tags', writes: 'extension' },
  // The first day of expenses that what it says now is for.
  holds_from: { kind: 'instant', isNullable: true, writes: 'extension' },
} as const satisfies Attributes

export const policy = {
  table: 'policies',
  subject: 'Policy',
  segments: ['policies'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: 'forward',
  isInOrganization: true,
} as const satisfies RecordDefinition
