import { type Kysely, sql } from 'kysely'

const xml = `IN ('application/xml', 'text/xml')`

const statements = [
  // What an XML file says it is known by as an invoice, null where it is none. It follows from the file alone, so each instance
  // reads it from the files that it has; a row is there as soon as the file is known, and read once the file can be.
  `CREATE TABLE invoice_keys (sha256 TEXT PRIMARY KEY, is_read INTEGER NOT NULL DEFAULT 0, invoice_key TEXT) STRICT, WITHOUT ROWID`,
  `CREATE INDEX invoice_keys_key ON invoice_keys (invoice_key) WHERE invoice_key IS NOT NULL`,
  `CREATE INDEX invoice_keys_unread ON invoice_keys (sha256) WHERE is_read = 0`,
  `CREATE TRIGGER blobs_with_invoices AFTER INSERT ON blobs WHEN new.content_type ${xml}
    BEGIN INSERT OR IGNORE INTO invoice_keys (sha256) VALUES (new.sha256); END`,
  `CREATE TRIGGER blobs_without_invoices AFTER DELETE ON blobs
    BEGIN DELETE FROM invoice_keys WHERE sha256 = old.sha256; END`,
  `INSERT INTO invoice_keys (sha256) SELECT sha256 FROM blobs WHERE content_type ${xml}`,
]

/** Electronic invoices: the key of each XML file. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
