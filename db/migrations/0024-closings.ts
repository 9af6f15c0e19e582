import { type Kysely, sql } from 'kysely'

const statements = [
  // Closed months, `name` is the month. One that was reopened says why.
  `CREATE TABLE closings (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, version INTEGER NOT NULL DEFAULT 1,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, deleted_at TEXT,
    organization_id INTEGER NOT NULL REFERENCES organizations (id),
    user_id INTEGER NOT NULL REFERENCES users (id), name TEXT NOT NULL, reopening TEXT
  ) STRICT`,
  `CREATE INDEX closings_list ON closings (organization_id, created_at, id) WHERE deleted_at IS NULL`,
  `CREATE INDEX closings_user ON closings (user_id)`,
  // Where an expense is booked that arrived after its month was closed.
  `ALTER TABLE expenses ADD COLUMN booked_on TEXT`,
  // For how many years files stay as they were captured; null: ten.
  `ALTER TABLE organizations ADD COLUMN retention_years INTEGER`,
]

/** Closed months, expenses that arrive late, and how long originals are kept. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
