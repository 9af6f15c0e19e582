import type { Generated } from 'kysely'

/** How far an operation of a replica is. */
export type OperationState =
  'pending' | 'sent' | 'acknowledged' | 'settled' | 'conflict' | 'rejected' | 'parked' | 'quarantined' | 'discarded'

interface IdLeaseTable {
  id: Generated<number>
  table_name: string
  next_id: number
  last_id: number
  created_at: string
}

interface IdAliasTable {
  table_name: string
  provisional_id: number
  record_id: number
  created_at: string
}

interface SyncStateTable {
  key: string
  value: string
  updated_at: string
}

interface SyncJournalTable {
  id: Generated<number>
  op_id: string
  user_id: number
  device_uid: string
  api_version: string
  group_id: string | null
  policy: string
  method: string
  path: string
  body: string
  refs: string
  blobs: string
  minted: string
  seen: string
  after_ops: string
  depends_on: string
  base: string
  mine: string
  state: OperationState
  attempts: Generated<number>
  last_answer: string | null
  effect_seq: number | null
  bytes: number
  created_at: string
  sent_at: string | null
  settled_at: string | null
}

interface SyncUndoTable {
  id: Generated<number>
  operation: number
  table_name: string
  record_key: string
  record_uid: string | null
  version_before: number | null
  statement: string
}

interface SyncStagedTable {
  id: Generated<number>
  table_name: string
  columns: string
  rows: string
}

interface SyncBlobTable {
  sha256: string
  direction: 'up' | 'down'
  bytes: number
  attempts: Generated<number>
  last_error: string | null
  created_at: string
}

interface SyncOfferTable {
  id: Generated<number>
  kind: string
  title: string
  payload: string
  state: 'offered' | 'accepted' | 'dismissed'
  created_at: string
}

interface SyncDeviceTable {
  id: Generated<number>
  uid: string
  user_id: number
  name: string
  turn: string
  next_turn: string
  seq: Generated<number>
  created_at: string
  last_seen_at: string
}

interface SyncGrantTable {
  table_name: string
  first_id: number
  last_id: number
  user_id: number
  created_at: string
}

interface SyncOperationTable {
  op_id: string
  user_id: number
  body_hash: string
  result: string
  created_at: string
}

/** What replicas and their remotes keep of their exchanges. */
export interface SyncTables {
  id_leases: IdLeaseTable
  id_aliases: IdAliasTable
  sync_state: SyncStateTable
  sync_journal: SyncJournalTable
  sync_undo: SyncUndoTable
  sync_staged: SyncStagedTable
  sync_blobs: SyncBlobTable
  sync_offers: SyncOfferTable
  sync_devices: SyncDeviceTable
  sync_grants: SyncGrantTable
  sync_operations: SyncOperationTable
}
