import { type Kysely, sql } from 'kysely'

const statements = [
  // No foreign keys to files and expenses: a capture that was used or deleted outlives its file, and on a replica an expense may go
  // and come back.
  `CREATE TABLE captures (
    id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE, user_id INTEGER NOT NULL REFERENCES users (id),
    sha256 TEXT NOT NULL, original_sha256 TEXT NOT NULL, file_name TEXT NOT NULL, content_type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('camera', 'drop', 'paste', 'screen', 'folder', 'opened', 'mail')),
    state TEXT NOT NULL CHECK (state IN ('processing', 'ready', 'unusable')), problem TEXT,
    keeps_location INTEGER NOT NULL CHECK (keeps_location IN (0, 1)), captured_at TEXT NOT NULL, group_uid TEXT, note TEXT,
    expense_id INTEGER, created_at TEXT NOT NULL, deleted_at TEXT) STRICT`,
  `CREATE INDEX captures_open ON captures (user_id, created_at, id) WHERE expense_id IS NULL AND deleted_at IS NULL`,
  `CREATE INDEX captures_processing ON captures (id) WHERE state = 'processing' AND deleted_at IS NULL`,
  `CREATE INDEX captures_file ON captures (sha256)`,
  `CREATE INDEX captures_original ON captures (original_sha256, user_id, id)`,
]

/** Captures: files that are on no expense yet. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
