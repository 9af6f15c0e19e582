import { type Kysely, sql } from 'kysely'

const statements = [
  `CREATE TABLE export_profiles (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id), name TEXT NOT NULL, layout TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX export_profiles_list ON export_profiles (organization_id, created_at, id) WHERE deleted_at IS NULL`,
]

/** File formats of organizations' own. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
