import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A supplier of an organization, identified by its tax number, with the usual values of its expenses. */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  // Only letters and digits, so that receipts find it in any printed form.
  tax_number: { kind: 'text', longest: 40, writes: 'required', isFiltered: true },
  currency: { kind: 'currency', isNullable: true, writes: 'extension' },
  // The usual tag of its expenses.
  tag_id: { kind: 'record', to: 'tags', writes: 'extension' },
} as const satisfies Attributes

export const supplier = {
  table: 'suppliers',
  subject: 'Supplier',
  segments: ['suppliers'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  trail: { in: 'reviews', column: 'organization_id' },
  sync: { create: 'add', replace: 'merge', update: 'merge', destroy: 'add' },
  isLeased: true,
  isInOrganization: true,
  wording: { key: 'supplier', tells: 'text' },
  screen: '/suppliers',
} as const satisfies RecordDefinition
