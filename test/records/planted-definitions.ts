import type { Attributes } from '#shared/records/attributes'
import type { RecordDefinition } from '#shared/records/definition'

// An attribute of expenses and two records that nothing else knows, with the statements of their columns.

export const costCode = {
  kind: 'text',
  longest: 20,
  writes: 'extension',
  isPlainField: true,
  isFiltered: true,
  isSearched: true,
  isExported: true,
  importedFrom: ['cost code'],
  mergeGroup: 'costs',
} as const satisfies Attributes[string]

export const vehicle = {
  table: 'vehicles',
  subject: 'Vehicle',
  segments: ['vehicles'],
  references: { organization_id: { to: 'organizations' }, tag_id: { to: 'tags', whenGone: 'empty', writtenAs: ['garage_id'] } },
  counts: ['activities'],
  visible: [{ in: 'member_of', column: 'organization_id' }],
  seenIn: 'reviews',
  sync: { create: 'add', update: 'merge', destroy: 'conditional' },
  isGuarded: true,
  isLeased: true,
  wording: { key: 'vehicle', tells: 'text' },
  screen: '/vehicles',
} as const satisfies RecordDefinition

export const site = {
  table: 'sites',
  subject: 'Tag',
  segments: ['sites'],
  attributes: {
    name: { kind: 'text', longest: 20, writes: 'required', isFiltered: true },
    desks: { kind: 'count', min: 0, max: 1000, writes: 'extension', column: 'desk_count' },
    open: { kind: 'flag', writes: 'extension' },
  },
  references: { organization_id: { to: 'organizations' } },
  visible: [{ in: 'member_of', column: 'organization_id' }],
  sync: 'add',
  isLeased: true,
  isInOrganization: true,
} as const satisfies RecordDefinition

export const statements = [
  'ALTER TABLE expenses ADD COLUMN cost_code TEXT',
  `CREATE TABLE vehicles (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT, activities_count INTEGER NOT NULL DEFAULT 0,
    organization_id INTEGER NOT NULL REFERENCES organizations (id), tag_id INTEGER REFERENCES tags (id), name TEXT NOT NULL) STRICT`,
  `CREATE TABLE sites (id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT, organization_id INTEGER NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL, desk_count INTEGER, open INTEGER NOT NULL) STRICT`,
]

/** An attribute of every other record, as {@link costCode} is one of expenses. */
export const memo = { kind: 'text', longest: 20, writes: 'extension', isFiltered: true } as const satisfies Attributes[string]
