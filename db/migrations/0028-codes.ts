import { type Kysely, sql } from 'kysely'

const xml = `IN ('application/xml', 'text/xml')`
const coded = `IN ('image/jpeg', 'image/jpg', 'image/png', 'image/gif', 'image/tiff', 'application/pdf')`

const statements = [
  // Codes on receipts and European invoices say totals in other currencies too.
  `ALTER TABLE invoice_keys ADD COLUMN currency TEXT`,
  `UPDATE invoice_keys SET currency = 'BRL' WHERE total_minor IS NOT NULL`,
  // Pictures and PDFs are known by their codes as XML files are by what they say.
  `CREATE TRIGGER blobs_with_codes AFTER INSERT ON blobs WHEN new.content_type ${coded}
    BEGIN INSERT OR IGNORE INTO invoice_keys (sha256) VALUES (new.sha256); END`,
  `INSERT OR IGNORE INTO invoice_keys (sha256) SELECT sha256 FROM blobs WHERE content_type ${coded}`,
  // European invoices are read since now.
  `UPDATE invoice_keys SET is_read = 0 WHERE sha256 IN (SELECT sha256 FROM blobs WHERE content_type ${xml})`,
]

/** The codes of pictures and documents, and the currency of what invoices say. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
