import { join } from 'node:path'
import type { Logger } from 'pino'
import type { ReplicaState } from '#shared/contract/instance/replica'
import { toInstant } from '#shared/domain/dates'
import { DomainError } from '#shared/domain/errors'
import { type Clock, createTurns } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import type { Thumbnails } from '#main/files/thumbnails'
import { forgetCaptures } from '#main/store/records/files/captures'
import { lockFile } from '#main/store/core/folder-locks'
import { DatabaseError } from '#main/store/core/database-error'
import { dismissVerdicts } from '#main/store/sync/changed-verdicts'
import { findReplicaValue, listForks, isReplica, writeReplicaValue } from '#main/store/sync/replica-state'
import { clearInstance, forgetExchange } from '#main/store/sync/replica-writer'
import { pruneJournal } from '#main/store/sync/sync-journal'
import { countOffers } from '#main/store/sync/sync-offers'
import type { Store } from '#main/store/core/store'
import { createReceiptsOnDemand } from './compat/receipts-on-demand'
import { OtherRemote, connect } from './connect'
import { type Exchange, type Tally, getRemoteOf, transact } from './exchange'
import { type Forwarded, forward } from './forward'
import type { Replay } from './overlay'
import { Remote, type RemoteTokens, type Transport, httpTransport } from './remote'
import { RemoteError, type RemoteFailure } from './remote-error'
import { listenForPokes } from './poke-listener'
import { countWork } from './work-counts'
import { type Ended, runExchange } from './run-exchange'
import { defaultReceiptBudget, download } from './steps/downloads'

/** The parts of a replica. */
export interface ReplicaParts {
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  readonly blobs: BlobStore
  readonly thumbnails: Pick<Thumbnails, 'find' | 'keep'>
  readonly data_folder: string
  readonly tokens: RemoteTokens
  readonly replay: Replay
  /** How to reach the remote; tests insert faults. */
  readonly transportTo?: (remote: { url: string; token: string }) => Transport
}

/** The report of one exchange, as the command line prints it (`cli.md`). */
export interface SyncReport {
  readonly pushed: number
  readonly pulled: number
  readonly conflicts: number
  readonly failed: number
  readonly uploads: number
  readonly downloads: number
  readonly ms: number
}

/** Whether this instance has the remote now, and if not, why. */
export type ConnectOutcome =
  | { readonly kind: 'connected' }
  | { readonly kind: 'failed'; readonly failure: RemoteFailure | 'other_remote' | 'secret_locked'; readonly message: string }

/** What is stored about a remote, and deleted with it. */
const known = ['pulled', 'points', 'snapshot', 'stop', 'allowed', 'deletions', 'last_sync', 'device', 'remote'] as const
/** How long finished operations are kept: as long as the remote keeps their results. */
const keptMs = 180 * 24 * 60 * 60 * 1000
/** How long to wait for another process's exchange on the same folder. */
const lockWaitMs = 120_000

/** This instance as a replica, with all actions. */
export class Replica {
  readonly #parts: ReplicaParts
  readonly #transportTo: (remote: { url: string; token: string }) => Transport
  #running: Promise<{ ended: Ended; report: SyncReport }> | undefined
  readonly #receiptsOnDemand: (expense_id: number) => Promise<void>
  #isClosed = false
  #isAgain = false
  #isWatched = false
  #lastEnded: Ended | undefined
  constructor(parts: ReplicaParts) {
    this.#parts = parts
    this.#transportTo = parts.transportTo ?? httpTransport
    this.#receiptsOnDemand = createReceiptsOnDemand(() => this.#begin(), parts.log)
  }

  /** Makes this instance a replica. `user_id`: who connects, if known; the records made here are offered as theirs. */
  async connect({ url, token, user_id }: { url: string; token: string; user_id?: number }): Promise<ConnectOutcome> {
    const { store, clock, data_folder, tokens } = this.#parts
    if (!store.isFile) throw new DomainError({ kind: 'not_possible', code: 'replica_needs_file' })
    if (!(await tokens.canKeep())) return { kind: 'failed', failure: 'secret_locked', message: 'The token cannot be kept yet.' }
    const base = url.replace(/\/+$/, '').replace(/\/api\/v1$/, '')
    const transport = this.#transportTo({ url: base, token })
    const stamp = clock.now().toISOString().replaceAll(/\W/g, '')
    const keepCopy = () => store.copyTo(join(data_folder, `before-remote-${stamp}.db`))
    try {
      await connect({ store, clock, url: base, token, user_id, transport, keepCopy })
    } catch (error) {
      if (error instanceof RemoteError) return { kind: 'failed', failure: error.failure, message: error.message }
      if (error instanceof OtherRemote) return { kind: 'failed', failure: 'other_remote', message: error.message }
      throw error
    }
    await tokens.keep(token)
    return { kind: 'connected' }
  }

  /** Stops being a replica. `remove`: also removes everything that came from the remote. */
  async disconnect(data: 'keep' | 'remove'): Promise<void> {
    const { store, tokens } = this.#parts
    if (!(await isReplica(store.reader))) return
    await transact(this.#parts, async (tx) => {
      if (data === 'remove') {
        await forgetCaptures(tx)
        await clearInstance(tx)
      }
      await forgetExchange(tx)
      for (const key of known) await writeReplicaValue(tx, key, undefined)
    })
    await tokens.forget()
    store.signals.emit({ topic: 'replica' })
  }

  /** Runs one exchange with the remote. If one is running, waits for it and runs another, as the first may have missed something. */
  async sync(): Promise<{ ended: Ended; report: SyncReport }> {
    if (this.#running) await this.#running.catch(() => undefined)
    // The replica may have been closed while the caller waited.
    if (this.#isClosed) throw new Error('The replica is closed.')
    this.#running ??= this.#exchange().finally(() => {
      this.#running = undefined
      this.#parts.store.signals.emit({ topic: 'replica' })
    })
    return this.#running
  }

  /** Requests an exchange soon; its result shows in the state. */
  async syncSoon(): Promise<void> {
    if (this.#running) {
      this.#isAgain = true
      return
    }
    if (!(await isReplica(this.#parts.store.reader))) return
    await this.sync().catch((error: unknown) => this.#parts.log.error({ err: error }, 'the exchange with the remote failed'))
    if (!this.#isAgain) return
    this.#isAgain = false
    await this.syncSoon()
  }

  async #exchange(): Promise<{ ended: Ended; report: SyncReport }> {
    const { clock } = this.#parts
    const { signals } = this.#parts.store
    const started = clock.monotonicMs()
    const unlock = await this.#lock()
    signals.emit({ topic: 'replica' })
    try {
      const exchange = await this.#begin()
      const ended = await runExchange(exchange)
      this.#lastEnded = ended
      const before = toInstant(new Date(clock.now().getTime() - keptMs))
      if (ended.kind === 'synced') await transact(exchange, (tx) => pruneJournal(tx, before))
      return { ended, report: await this.#report(exchange.tally, clock.monotonicMs() - started) }
    } finally {
      unlock()
    }
  }

  /** Allows one exchange at a time on a folder, across processes. */
  async #lock(): Promise<() => void> {
    const { clock, data_folder } = this.#parts
    const started = clock.monotonicMs()
    for (;;) {
      try {
        return lockFile(data_folder, 'sync.lock')
      } catch (error) {
        if (!(error instanceof DatabaseError) || clock.monotonicMs() - started > lockWaitMs) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }

  async #begin(): Promise<Exchange> {
    const { store, clock, log, blobs, thumbnails, replay, data_folder } = this.#parts
    // Created within the exchange: a missing token ends it, and a person is notified.
    let transport: Promise<Transport> | undefined
    const remote = new Remote(async (request) => (await (transport ??= this.#transport()))(request))
    const tally: Tally = { pushed: 0, pulled: 0, uploads: 0, downloads: 0, removed: 0 }
    const takeTurn = createTurns(clock)
    return { data_folder, store, clock, log, blobs, thumbnails, replay, remote, tally, takeTurn }
  }

  async #transport(): Promise<Transport> {
    const { url } = await getRemoteOf(this.#parts)
    const token = await this.#parts.tokens.find()
    if (token === undefined) throw new RemoteError('unauthorized', 'The token of the remote is missing. Set the remote again.')
    return this.#transportTo({ url, token })
  }

  async #report(tally: Tally, ms: number): Promise<SyncReport> {
    const { conflicts, failed } = await countWork(this.#parts.store.reader)
    const { pushed, pulled, uploads, downloads } = tally
    return { pushed, pulled, conflicts, failed, uploads, downloads, ms: Math.round(ms) }
  }

  async state(): Promise<ReplicaState> {
    const { reader } = this.#parts.store
    const remote = await findReplicaValue(reader, 'remote')
    const stop = (await findReplicaValue(reader, 'stop')) ?? null
    const snapshot = await findReplicaValue(reader, 'snapshot')
    const last = await findReplicaValue(reader, 'last_sync')
    const { oldest, ...counts } = await countWork(this.#parts.store.reader)
    return {
      remote: remote ? { url: remote.url, user_id: remote.user_id, is_compatible_only: remote.is_compatible_only } : null,
      activity: remote ? this.#activity(stop !== null) : 'off',
      stop,
      progress: snapshot ? { rows: snapshot.rows, total: snapshot.total, bytes: snapshot.bytes } : null,
      counts,
      oldest_waiting_at: oldest,
      last_synced_at: last?.at || null,
      keeps_in_sync: this.#isWatched,
      // On a full disk it could not be stored.
      last_error: (this.#lastEnded?.kind === 'offline' ? this.#lastEnded.error : last?.error) ?? null,
      receipt_budget_bytes: (await findReplicaValue(reader, 'receipt_budget')) ?? defaultReceiptBudget,
      trail_forks: remote ? await listForks(reader) : [],
      offered: await countOffers(reader),
    }
  }

  #activity(isStopped: boolean): ReplicaState['activity'] {
    if (this.#running) return 'syncing'
    if (isStopped) return 'stopped'
    return this.#lastEnded?.kind === 'offline' ? 'offline' : 'idle'
  }

  /** Stores a person's decision about a deletion that the guard stopped; the next exchange applies it (`SPEC.md`, "Guards"). */
  async decide(decision: 'allow' | 'keep'): Promise<void> {
    await transact(this.#parts, async (tx) => {
      if ((await findReplicaValue(tx, 'stop'))?.kind !== 'guard') return
      await writeReplicaValue(tx, 'stop', undefined)
      await writeReplicaValue(tx, 'allowed', decision === 'allow' ? true : 'keep')
    })
  }

  /** Sets how many bytes of receipts are fetched in advance. */
  async budget(bytes: number): Promise<void> {
    await transact(this.#parts, (tx) => writeReplicaValue(tx, 'receipt_budget', bytes))
  }

  /** Dismisses the notices that the remote's findings on these expenses differ. */
  async dismissVerdicts(expense_ids: readonly number[]): Promise<void> {
    if (await isReplica(this.#parts.store.reader)) await transact(this.#parts, (tx) => dismissVerdicts(tx, expense_ids))
  }

  /** Fetches a missing file; returns whether it is here now. */
  async fetchBlob(sha256: string): Promise<boolean> {
    const { store, blobs, log } = this.#parts
    if (!(await isReplica(store.reader))) return false
    try {
      await download({ store, blobs, remote: { transport: await this.#transport() } }, sha256)
      return true
    } catch (error) {
      log.info({ err: error, sha256 }, 'a file could not be fetched')
      return false
    }
  }

  /** Fetches the list of an expense's receipts if the remote supports only the published contract. */
  async fetchReceipts(expense_id: number): Promise<void> {
    const remote = await findReplicaValue(this.#parts.store.reader, 'remote')
    if (remote?.is_compatible_only) await this.#receiptsOnDemand(expense_id)
  }

  /** Forwards a user's request to the remote; undefined if it cannot be reached. */
  async send(request: Forwarded) {
    try {
      const response = await forward(await this.#transport(), request)
      // Pulls its effect at once; if that fails, the next exchange brings it.
      if (request.method !== 'GET' && response.status < 400) await this.sync().catch(() => undefined)
      return response
    } catch (error) {
      this.#parts.log.info({ err: error, path: request.path }, 'the remote was not reached')
      return undefined
    }
  }

  /** Marks that exchanges now run automatically. */
  watched(): void {
    this.#isWatched = true
  }

  /** Listens for the remote's pokes until stopped; reconnects when the connection breaks. */
  listen({ signal, onPoke }: { signal: AbortSignal; onPoke: () => void }): Promise<void> {
    const { reader } = this.#parts.store
    // A contract-only remote has no pokes.
    const connect = async () => ((await findReplicaValue(reader, 'remote'))?.is_compatible_only === false ? this.#transport() : undefined)
    return listenForPokes({ signal, onPoke, connect })
  }

  /** Waits for the running exchange. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running?.catch(() => undefined)
  }
}
