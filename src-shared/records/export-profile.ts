import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from './definition'

/** A file format of an organization. `layout`: its content as JSON (`domain/exports/layout`). */
const attributes = {
  name: { kind: 'text', longest: 200, writes: 'required', isFiltered: true },
  layout: { kind: 'text', longest: 100_000, writes: 'required', isUnaudited: true },
} as const satisfies Attributes

export const exportProfile = {
  table: 'export_profiles',
  subject: 'ExportProfile',
  segments: ['export_profiles'],
  attributes,
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'reviews', column: 'organization_id' }],
  sync: 'forward',
  isInOrganization: true,
} as const satisfies RecordDefinition
