import { type Kysely, sql } from 'kysely'

const statements = [
  `ALTER TABLE expenses ADD COLUMN supplier_name TEXT`,
  `ALTER TABLE expenses ADD COLUMN supplier_tax_id TEXT`,
  // Most expenses of most folders name none: they are not in it.
  `CREATE INDEX expenses_payer_supplier_name ON expenses (payer_id, supplier_name, occurred_at, id)
    WHERE deleted_at IS NULL AND supplier_name IS NOT NULL`,
]

/** Who was paid: the supplier of an expense by name and by number at its tax office. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
