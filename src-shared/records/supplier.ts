import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from '#shared/records/definition'

/** A supplier of an organization, known by its tax number, and what is usual for expenses with it. */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  // Letters and digits alone, so that receipts find it however it is printed.
  tax_number: { kind: 'text', longest: 40, writes: 'required', isFiltered: true },
  currency: { kind: 'currency', isNullable: true, writes: 'extension' },
  // The tag that expenses with it usually have.
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
