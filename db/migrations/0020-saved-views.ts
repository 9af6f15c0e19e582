import { type Kysely, sql } from 'kysely'

const statements = [
  // Views of Review that members named: `query` is what the address has after its question mark.
  `CREATE TABLE saved_views (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    user_id INTEGER NOT NULL REFERENCES users (id), name TEXT NOT NULL, query TEXT NOT NULL,
    is_shared INTEGER NOT NULL DEFAULT 0 CHECK (is_shared IN (0, 1))
  ) STRICT`,
  `CREATE INDEX saved_views_list ON saved_views (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX saved_views_user ON saved_views (user_id)`,
]

/** Saved views of Review: of one person, or shared with their organization. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
