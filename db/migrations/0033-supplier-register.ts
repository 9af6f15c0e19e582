import { type Kysely, sql } from 'kysely'

const statements = [
  `CREATE TABLE suppliers (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL, tax_number TEXT NOT NULL, currency TEXT, tag_id INTEGER REFERENCES tags (id)
  ) STRICT`,
  `CREATE UNIQUE INDEX suppliers_number ON suppliers (organization_id, tax_number) WHERE deleted_at IS NULL`,
  `CREATE INDEX suppliers_tag ON suppliers (tag_id)`,
  `CREATE INDEX suppliers_list ON suppliers (organization_id, created_at, id) WHERE deleted_at IS NULL`,
]

/** The suppliers of organizations. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
