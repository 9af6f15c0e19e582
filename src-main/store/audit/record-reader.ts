import { type SqlBool, sql } from 'kysely'
import type { Reader } from '../core/store'

/** A record with money, with all its columns. */
export type RecordRow = Readonly<Record<string, unknown>> & {
  readonly id: number
  /** The user who owns the record. */
  readonly owner_id: number
  readonly deleted_at: string | null
}

/** A page of records by id. `isEnd`: no more records follow. */
export interface RecordPage {
  readonly rows: readonly RecordRow[]
  readonly isEnd: boolean
}

/** The tables of records with money, and the column that names the owner in each. */
const ownerColumns = {
  expenses: 'payer_id',
  reimbursements: 'payer_id',
  advancements: 'payer_id',
  advancement_devolutions: 'payer_id',
  statement_lines: 'organization_id',
  closings: 'organization_id',
  policies: 'organization_id',
  approval_rules: 'organization_id',
  exchange_rates: 'organization_id',
} as const
export type MoneyTable = keyof typeof ownerColumns

const pageSize = 1_000

const within = (organization_id: number | undefined, column: string) =>
  organization_id === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.ref(column)} = ${organization_id}`

/** The records of a table after an id, including deleted ones, of one organization or of all. */
export async function listMoneyRecords(
  reader: Reader,
  table: MoneyTable,
  { organization_id, after }: { organization_id: number | undefined; after: number },
): Promise<RecordPage> {
  const owner = ownerColumns[table]
  const { rows } = await sql<RecordRow>`select ${sql.table(table)}.*, ${sql.ref(owner)} as owner_id from ${sql.table(table)}
    where id > ${after} and ${within(organization_id, owner)}
    order by id limit ${sql.lit(pageSize)}`.execute(reader.db)
  return { rows, isEnd: rows.length < pageSize }
}

/** Counts an organization's records with money, including deleted ones. */
export async function countMoneyRecords(reader: Reader, organization_id: number): Promise<number> {
  const counts = Object.entries(ownerColumns).map(
    ([table, owner]) => sql`select count(*) as count from ${sql.table(table)} where ${sql.ref(owner)} = ${organization_id}`,
  )
  const { rows } = await sql<{ count: number }>`select sum(count) as count from (${sql.join(counts, sql` union all `)}) as counts`.execute(
    reader.db,
  )
  return Number(rows[0]?.count ?? 0)
}

/** The entries whose record does not exist: one for each record, at most 100. */
export async function listOrphans(
  reader: Reader,
  { table, subject, organization_id }: { table: MoneyTable; subject: string; organization_id: number | undefined },
): Promise<Array<{ subject_id: number; activity_id: number; organization_id: number | null }>> {
  const { rows } = await sql<{ subject_id: number; activity_id: number; organization_id: number | null }>`
    select subject_id, max(id) as activity_id, max(organization_id) as organization_id from activities
    where subject_type = ${subject} and ${within(organization_id, 'organization_id')}
      and not exists (select 1 from ${sql.table(table)} as record where record.id = activities.subject_id)
    group by subject_id order by subject_id limit 100`.execute(reader.db)
  return rows
}
