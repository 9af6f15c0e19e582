import { type Kysely, sql } from 'kysely'

const statements = [
  // Pictures of erased people: their files go as soon as nothing else names them.
  `CREATE TABLE erased_pictures (sha256 TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
  // Files of receipts that another file took the place of: originals are kept. Without foreign keys: on a replica expenses come and go.
  `CREATE TABLE replaced_files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, expense_id INTEGER NOT NULL, attachment_id INTEGER NOT NULL, sha256 TEXT NOT NULL,
    file_name TEXT NOT NULL, uploaded_at TEXT NOT NULL, replaced_at TEXT NOT NULL) STRICT`,
  `CREATE INDEX replaced_files_expense ON replaced_files (expense_id)`,
  `CREATE INDEX replaced_files_file ON replaced_files (sha256)`,
]

/** Erasing people, and files of receipts that were replaced. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
