import { sql } from 'kysely'
import type { Cell } from '#shared/contract/sync'
import { sharedTables } from './undo-triggers'
import type { Reader } from '../core/store'

/** A row of any table by its columns, as a replica compares it with what its remote says. */
export type CellRow = Readonly<Record<string, Cell>>

const isShared = (name: string): name is (typeof sharedTables)[number] => sharedTables.some((table) => table === name)

/** The row of a record, whatever it is; undefined where there is none, or no such table. */
export async function findRow(reader: Reader, table: string, id: number): Promise<CellRow | undefined> {
  return (await listRowsOf(reader, table, { column: 'id', id }))[0]
}

/** The rows of a table that belong to a record, deleted ones too. */
export async function listRowsOf(reader: Reader, table: string, of: { column: string; id: number }): Promise<CellRow[]> {
  if (!isShared(table)) return []
  const { rows } = await sql<CellRow>`select * from ${sql.table(table)} where ${sql.ref(of.column)} = ${of.id}`.execute(reader.db)
  return rows
}

/** Which records of a table a list of the remote would hold: all, those of an organization, or pre-expenses in one state. */
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

/** The ids that the remote gave to what is here of a list. */
export async function listIdsHere(reader: Reader, { table, organization_id, pre_expenses }: ListedHere): Promise<number[]> {
  if (!isShared(table)) return []
  const within = organization_id === undefined ? sql`1 = 1` : sql`organization_id = ${organization_id}`
  const state = pre_expenses === undefined ? sql`1 = 1` : preExpenseStates[pre_expenses]
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)}
    where id > 0 and deleted_at is null and ${within} and ${state}`.execute(reader.db)
  return rows.map(({ id }) => id)
}

/** Expenses that have more receipts at the remote than are known here, those that wait for review first. */
export async function listExpensesLackingReceipts(reader: Reader): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from expenses where id > 0 and deleted_at is null and attachments_count >
    (select count(*) from attachments where expense_id = expenses.id and deleted_at is null)
    order by status in ('awaiting_analysis', 'analyzing', 'analyzed', 'noncompliant') desc, created_at desc`.execute(reader.db)
  return rows.map(({ id }) => id)
}
