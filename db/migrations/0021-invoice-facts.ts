import { type Kysely, sql } from 'kysely'

const statements = [
  // What an electronic invoice says that policies compare with its expense: as its key, it follows from the file alone.
  `ALTER TABLE invoice_keys ADD COLUMN total_minor INTEGER`,
  `ALTER TABLE invoice_keys ADD COLUMN issued_on TEXT`,
  `ALTER TABLE invoice_keys ADD COLUMN buyer_tax_id TEXT`,
  // Files that are there already are read again in the background; their keys stay until then.
  `UPDATE invoice_keys SET is_read = 0`,
  // Whom invoices may be issued to.
  `ALTER TABLE policies ADD COLUMN tax_ids TEXT`,
]

/** What electronic invoices say, and the policies that ask for it. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
