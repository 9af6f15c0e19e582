import { monthPattern } from '#shared/domain/closing/months'
import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A closed month of an organization (`domain/closing/months`). Its name is the month; `user`: the person who closed it. */
const attributes = {
  name: { kind: 'text', longest: 7, matches: monthPattern, writes: 'required', isFiltered: true },
  // The reason for reopening; null: it is closed.
  reopening: { kind: 'text', longest: 500, writes: 'extension', isFiltered: true },
  // The exchange rates at its closing: `domain/reports/kept-rates`.
  rates: { kind: 'text', isNullable: true, isHidden: true },
  user: { kind: 'party', of: 'User', isUnaudited: true },
} as const satisfies Attributes

export const closing = {
  table: 'closings',
  subject: 'Closing',
  segments: ['closings'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: 'forward',
  isInOrganization: true,
} as const satisfies RecordDefinition
