import { sql } from 'kysely'
import type { Cell } from '#shared/contract/sync'
import { sharedTables } from './undo-triggers'
import type { Reader } from '../core/store'

/** A row of any table by column, for comparison with the remote's. */
export type CellRow = Readonly<Record<string, Cell>>

const isShared = (name: string): name is (typeof sharedTables)[number] => sharedTables.some((table) => table === name)

/** A record's row; undefined if it or the table does not exist. */
export async function findRow(reader: Reader, table: string, id: number): Promise<CellRow | undefined> {
  return (await listRowsOf(reader, table, { column: 'id', id }))[0]
}

/** A table's rows that belong to a record, including deleted ones. */
export async function listRowsOf(reader: Reader, table: string, of: { column: string; id: number }): Promise<CellRow[]> {
  if (!isShared(table)) return []
  const { rows } = await sql<CellRow>`select * from ${sql.table(table)} where ${sql.ref(of.column)} = ${of.id}`.execute(reader.db)
  return rows
}

/** The records of a table that a list of the remote contains: all, those of an organization, or pre-expenses in one state. */
export interface ListedHere {
  readonly table: string
  readonly organization_id?: number
  readonly pre_expenses?: 'waiting_approval' | 'ignored' | 'converted'
}

const preExpenseStates = {
  waiting_approval: sql`ignored_at is null and converted_at is null`,
  ignored: sql`ignored_at is not null and converted_at is null`,
  converted: sql`converted_at is not null`,
}

/** The remote's ids of local records in a list. */
export async function listIdsHere(reader: Reader, { table, organization_id, pre_expenses }: ListedHere): Promise<number[]> {
  if (!isShared(table)) return []
  const within = organization_id === undefined ? sql`1 = 1` : sql`organization_id = ${organization_id}`
  const state = pre_expenses === undefined ? sql`1 = 1` : preExpenseStates[pre_expenses]
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
    where id > 0 and deleted_at is null and ${within} and ${state}`.execute(reader.db)
  return rows.map(({ id }) => id)
}

/** Expenses with more receipts at the remote than here; those that wait for review first. */
export async function listExpensesLackingReceipts(reader: Reader): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from expenses where id > 0 and deleted_at is null and attachments_count >
    (select count(*) from attachments where expense_id = expenses.id and deleted_at is null)
    order by status in ('awaiting_analysis', 'analyzing', 'analyzed', 'noncompliant') desc, created_at desc`.execute(reader.db)
  return rows.map(({ id }) => id)
}
