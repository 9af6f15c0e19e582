import { type Kysely, sql } from 'kysely'

const bare = [`'.'`, `'-'`, `'/'`, `' '`, `','`, `':'`].reduce((text, mark) => `replace(${text}, ${mark}, '')`, 'supplier_tax_id')
const number = `upper(${bare})`
const key = `coalesce( CASE WHEN length(${number}) >= 8 AND instr(supplier_tax_id, '*') = 0
  AND ltrim(${number}, '0ABCDEFGHIJKLMNOPQRSTUVWXYZ') <> '' THEN
  CASE WHEN length(${number}) = 11 AND substr(${number}, 1, 2) = 'PT' THEN substr(${number}, 3) ELSE ${number} END ELSE NULL END, nullif(supplier_name, ''))`

/** Expenses are found by their supplier: by its tax number without punctuation, else by its name. */
export async function up(db: Kysely<Record<string, unknown>>): Promise<void> {
  const statement = `CREATE INDEX expenses_payer_supplier ON expenses (payer_id, (${key}), occurred_at, id)
    WHERE deleted_at IS NULL AND (${key}) IS NOT NULL`
  await sql.raw(statement).execute(db)
}
