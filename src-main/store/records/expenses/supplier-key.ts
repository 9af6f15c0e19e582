import { type RawBuilder, type SqlBool, sql } from 'kysely'

const taxId = sql.ref('expenses.supplier_tax_id')
const supplierName = sql.ref('expenses.supplier_name')

const marks = ['.', '-', '/', ' ', ',', ':'].map((mark) => sql.lit(mark))
const number = sql`upper(${marks.reduce<RawBuilder<unknown>>((text, mark) => sql`replace(${text}, ${mark}, '')`, taxId)})`

/**
 * The key that a supplier's expenses share: the tax number without punctuation, otherwise the name; null if neither is given. Numbers that are too
 * short, masked or without digits do not count. The index `expenses_payer_supplier` has the same expression.
 */
export const supplierKey = sql<string | null>`coalesce(case when length(${number}) >= 8 and instr(${taxId}, '*') = 0
  and ltrim(${number}, '0ABCDEFGHIJKLMNOPQRSTUVWXYZ') <> '' then
  case when length(${number}) = 11 and substr(${number}, 1, 2) = 'PT' then substr(${number}, 3) else ${number} end else null end, nullif(${supplierName}, ''))`

/** The columns of the key. Grouping by them computes the key once per spelling, not once per expense. */
export const supplierParts = [taxId, supplierName]

/** The expenses of suppliers with these keys; an empty key stands for expenses that name no supplier. */
export function isOfSupplier(keys: readonly string[]): RawBuilder<SqlBool> {
  const named = keys.filter((key) => key !== '')
  const [only] = named
  const isNamed = named.length === 1 ? sql<SqlBool>`${supplierKey} = ${only}` : sql<SqlBool>`${supplierKey} in (${sql.join(named)})`
  if (named.length === keys.length) return isNamed
  return named.length === 0 ? sql<SqlBool>`${supplierKey} is null` : sql<SqlBool>`(${supplierKey} is null or ${isNamed})`
}
