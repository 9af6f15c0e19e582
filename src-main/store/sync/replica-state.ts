import { z } from 'zod'
import type { Reader, Tx } from '../core/store'
import { deleteSyncState, findSyncState, writeSyncState } from './sync-state'

/** What a replica knows of its remote and itself, each value under a key of the sync state. */
const shapes = {
  remote: z.object({
    url: z.string(),
    user_id: z.int(),
    user_uid: z.string(),
    instance_uid: z.string(),
    /** Whether the remote has only the published contract, without `/sync/*`. */
    is_compatible_only: z.boolean(),
  }),
  device: z.object({ uid: z.string(), name: z.string(), turn: z.string().nullable(), next_turn: z.string().optional() }),
  /** Where to continue with changes, and the user's scopes at that point; absent before the first exchange has ended. */
  pulled: z.object({ cursor: z.string(), scopes: z.string(), seq: z.int() }),
  /** Positions in the remote's history that this replica has been at, newest first. */
  points: z.array(z.string()),
  /** A snapshot in progress: its next position, and the cursor of changes to follow afterwards. */
  snapshot: z.object({
    cursor: z.string(),
    seq: z.int().optional(),
    scopes: z.string(),
    next: z.string().nullable(),
    rows: z.int(),
    total: z.int(),
    bytes: z.int(),
    /** Whether the remote has said that some records are no longer visible, so that records may be removed. */
    isNarrowed: z.boolean(),
  }),
  stop: z.object({
    kind: z.enum(['guard', 'unauthorized', 'wrong_account', 'too_old', 'unreadable']),
    message: z.string(),
    table: z.string().nullable(),
    count: z.int(),
    total: z.int(),
  }),
  /** What the remote has recently deleted. */
  deletions: z.array(z.object({ table: z.string(), count: z.int(), at: z.string() })),
  /** A person's decision about a deletion that the guard stopped: allow it, or create the deleted records again. */
  allowed: z.union([z.literal(true), z.literal('keep')]),
  last_sync: z.object({ at: z.string(), error: z.string().nullable() }),
  /** The last seal of each of the remote's chains that this replica has seen, and where a chain was replaced. */
  heads: z.array(
    z.object({
      organization_id: z.int(),
      number: z.int(),
      total: z.int(),
      head: z.string(),
      sealed_at: z.string(),
      public_key: z.string(),
      last_id: z.int(),
      seen_at: z.string(),
      fork: z.object({ noticed_at: z.string(), number: z.int(), sealed_at: z.string(), kind: z.enum(['head', 'entries']) }).nullable(),
    }),
  ),
  /** Local findings that the remote's findings replaced, newest first. */
  verdicts: z.array(z.object({ uid: z.string(), flags: z.string().nullable(), noticed_at: z.string() })),
  receipt_budget: z.int(),
  schema: z.int(),
} as const

export type ReplicaKey = keyof typeof shapes
export type ReplicaValue<K extends ReplicaKey> = z.infer<(typeof shapes)[K]>

/** A value of this replica's state; undefined if unknown. */
export async function findReplicaValue<K extends ReplicaKey>(reader: Reader, key: K): Promise<ReplicaValue<K> | undefined> {
  // A replica is always on SQLite, and every request and background job asks this.
  if (reader.dialect === 'postgres') return undefined
  const text = await findSyncState(reader, key)
  // The shape belongs to the key.
  return text === undefined ? undefined : (shapes[key].parse(JSON.parse(text)) as ReplicaValue<K>)
}

/** Stores a value of this replica's state; undefined deletes it. */
export async function writeReplicaValue<K extends ReplicaKey>(tx: Tx, key: K, value: ReplicaValue<K> | undefined): Promise<void> {
  if (value === undefined) await deleteSyncState(tx, key)
  else await writeSyncState(tx, key, JSON.stringify(value))
}

/** Whether this instance is a replica. */
export async function isReplica(reader: Reader): Promise<boolean> {
  return reader.dialect !== 'postgres' && (await findSyncState(reader, 'remote')) !== undefined
}

/** The remote's audit chains that differ from what this replica had seen. */
export async function listForks(reader: Reader) {
  const heads = (await findReplicaValue(reader, 'heads')) ?? []
  return heads.flatMap(({ organization_id, fork }) => (fork ? [{ organization_id, ...fork }] : []))
}
