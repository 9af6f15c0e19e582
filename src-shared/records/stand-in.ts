import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A person, `delegate`, stands in for another, `user`, from `starts_at` until `ends_at` (excluded). Its name is the reason. */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  user: { kind: 'party', of: 'User', writes: 'required', isFiltered: true },
  delegate: { kind: 'party', of: 'User', writes: 'required', isFiltered: true },
  starts_at: { kind: 'instant', writes: 'required', isFiltered: true },
  ends_at: { kind: 'instant', writes: 'required', isFiltered: true },
} as const satisfies Attributes

export const standIn = {
  table: 'stand_ins',
  subject: 'StandIn',
  segments: ['stand_ins'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: 'forward',
  isInOrganization: true,
} as const satisfies RecordDefinition
