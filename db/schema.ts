import type { Generated, Insertable, Selectable } from 'kysely'
import type { AuditTables } from './audit-tables'
import type { InstanceTables } from './instance-tables'
import type { LinkTables, RecordColumns, RecordTables } from './record-tables'
import type { SyncTables } from './sync-tables'

interface ChangeLogTable {
  seq: Generated<number>
  nonce: string
  organization_id: number | null
  user_id: number | null
  /** `base`: all records of a replica, whose base is a new snapshot. */
  table_name: RecordTable | 'base'
  record_id: number
  record_uid: string
  version: number
  operation: 'insert' | 'update' | 'delete'
  changed: string
  actor_user_id: number | null
  op_id: string | null
  created_at: string
}

/** Every table of an instance's database, as the migrations leave it. */
export interface Schema extends RecordTables, LinkTables, InstanceTables, AuditTables, SyncTables {
  change_log: ChangeLogTable
  expense_search: { rowid: number; text: string }
}

/** Tables whose rows are records: identified by `uid`, versioned, in the change log. */
export type RecordTable = { [T in keyof Schema]: Schema[T] extends RecordColumns ? T : never }[keyof Schema]

/** A stored row of a table. */
export type Row<T extends keyof Schema> = Selectable<Schema[T]>
/** What an insert into a table takes. */
export type NewRow<T extends keyof Schema> = Insertable<Schema[T]>
