import { type Kysely, sql } from 'kysely'

const readable = `IN ('image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/tiff', 'application/pdf')`

const statements = [
  // What each receipt says, as JSON, by its file alone, with the engine that read it. One that crashed its process is tried once more.
  `CREATE TABLE receipt_readings (
    sha256 TEXT PRIMARY KEY, engine TEXT, tries INTEGER NOT NULL DEFAULT 0, fields TEXT,
    state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'read', 'gave_up', 'unreadable'))) STRICT`,
  `CREATE INDEX receipt_readings_waiting ON receipt_readings (sha256) WHERE state = 'waiting'`,
  `CREATE TRIGGER blobs_with_receipts AFTER INSERT ON blobs WHEN new.content_type ${readable}
    BEGIN INSERT OR IGNORE INTO receipt_readings (sha256) VALUES (new.sha256); END`,
  `CREATE TRIGGER blobs_without_receipts AFTER DELETE ON blobs
    BEGIN DELETE FROM receipt_readings WHERE sha256 = old.sha256; END`,
  // Of the files that are there already, those are read that are on no expense yet.
  `INSERT INTO receipt_readings (sha256)
    SELECT DISTINCT captures.sha256 FROM captures JOIN blobs ON blobs.sha256 = captures.sha256
    WHERE captures.expense_id IS NULL AND captures.deleted_at IS NULL AND blobs.content_type ${readable}`,
]

/** What receipts say. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
