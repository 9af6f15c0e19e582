import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import type { Thumbnails } from '#main/files/thumbnails'
import { type ReplicaValue, findReplicaValue, writeReplicaValue } from '#main/store/sync/replica-state'
import type { Actor, Store, Tx } from '#main/store/core/store'
import type { Replay } from './overlay'
import type { Remote } from './remote'

/** The result of an exchange. */
export interface Tally {
  pushed: number
  pulled: number
  uploads: number
  downloads: number
  /** How many records were removed because the user may no longer see them. */
  removed: number
}

/** What the steps of an exchange work with. */
export interface Exchange {
  readonly data_folder: string
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly blobs: BlobStore
  readonly thumbnails: Pick<Thumbnails, 'find' | 'keep'>
  readonly remote: Remote
  readonly replay: Replay
  /** Gives others their turn on the thread, now and then. */
  readonly takeTurn: () => Promise<void>
  readonly tally: Tally
}

/** The actor of an exchange's writes. The remote's trail says who made the changes. */
export function syncActor(user_id: number): Actor {
  return { user_id, origin: 'sync', request_id: null, if_match: null }
}

/** What this replica knows of its remote. Throws if this is not a replica. */
export async function getRemoteOf({ store }: Pick<Exchange, 'store'>): Promise<ReplicaValue<'remote'>> {
  const remote = await findReplicaValue(store.reader, 'remote')
  if (!remote) throw new Error('This instance has no remote.')
  return remote
}

/** Runs one transaction of an exchange. */
export async function transact<T>(exchange: Pick<Exchange, 'store'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { user_id } = await getRemoteOf(exchange)
  return exchange.store.transact(syncActor(user_id), work)
}

/** Stops the exchange until a person has decided; local data stay unchanged. */
export async function stopFor(exchange: Exchange, stop: Omit<ReplicaValue<'stop'>, 'table' | 'count' | 'total'>): Promise<'stopped'> {
  await transact(exchange, (tx) => writeReplicaValue(tx, 'stop', { table: null, count: 0, total: 0, ...stop }))
  return 'stopped'
}
