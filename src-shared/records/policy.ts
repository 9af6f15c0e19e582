import { policyConditions, policyPeriods, policyWeights } from '#shared/domain/policies/terms'
import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A policy of an organization. By hand: the amount with its currency, and the column `versions` with all its versions. */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  weight: { kind: 'choice', values: policyWeights, wordedAs: 'policy_weight', writes: 'required', isFiltered: true },
  condition: { kind: 'choice', values: policyConditions, wordedAs: 'policy_condition', writes: 'required', isFiltered: true },
  amount: { kind: 'amount', currency: 'currency', isNullable: true, writes: 'extension' },
  currency: { kind: 'currency', isNullable: true, writes: 'extension' },
  days: { kind: 'count', min: 0, max: 10_000, writes: 'extension' },
  period: { kind: 'choice', values: policyPeriods, wordedAs: 'policy_period', isNullable: true, writes: 'extension' },
  distance: { kind: 'number', min: 0, max: 1_000_000, writes: 'extension' },
  distance_kind: { kind: 'choice', values: ['km', 'mi'], isNullable: true, writes: 'extension' },
  dates: { kind: 'list', of: 'dates', most: 200, writes: 'extension' },
  // The allowed buyers of electronic invoices.
  tax_ids: { kind: 'list', of: 'tax_ids', most: 50, writes: 'extension' },
  // Applies only to expenses with one of these tags, claimants, currencies and kinds; empty: all.
  tag_ids: { kind: 'list', of: 'tags', most: 100, writes: 'extension' },
  claimant_ids: { kind: 'list', of: 'users', most: 100, writes: 'extension' },
  currencies: { kind: 'list', of: 'currencies', most: 100, writes: 'extension' },
  kinds: { kind: 'list', of: 'kinds', most: 2, writes: 'extension' },
  // The first day of expenses to which the current version applies.
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
