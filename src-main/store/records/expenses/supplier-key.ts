import { type RawBuilder, type SqlBool, sql } from 'kysely'

const taxId = sql.ref('expenses.supplier_tax_id')
const supplierName = sql.ref('expenses.supplier_name')

const marks = ['.', '-', '/', ' ', ',', ':'].map((mark) => sql.lit(mark))
const number = sql`upper(${marks.reduce<RawBuilder<unknown>>((text, mark) => sql`replace(${text}, ${mark}, '')`, taxId)})`

/**
 * What the expenses of one supplier have in common: its tax number without punctuation, else its name; null where they name nobody. What is too short
 * for a number, masked, or without a digit is none. The index `expenses_payer_supplier` is of this expression: both are written alike.
 */
export const supplierKey = sql<string | null>`coalesce(case when length(${number}) >= 8 and instr(${taxId}, '*') = 0
  and ltrim(${number}, '0ABCDEFGHIJKLMNOPQRSTUVWXYZ') <> '' then
  case when length(${number}) = 11 and substr(${number}, 1, 2) = 'PT' then substr(${number}, 3) else ${number} end else null end, nullif(${supplierName}, ''))`

/** What the key is made of. Grouped by these, it is made once a spelling, not once an expense. */
export const supplierParts = [taxId, supplierName]

/** The expenses of one of these suppliers, by their keys; an empty key: of those that name nobody. */
export function isOfSupplier(keys: readonly string[]): RawBuilder<SqlBool> {
  const named = keys.filter((key) => key !== '')
  const [only] = named
  const isNamed = named.length === 1 ? sql<SqlBool>`${supplierKey} = ${only}` : sql<SqlBool>`${supplierKey} in (${sql.join(named)})`
  if (named.length === keys.length) return isNamed
  return named.length === 0 ? sql<SqlBool>`${supplierKey} is null` : sql<SqlBool>`(${supplierKey} is null or ${isNamed})`
}
