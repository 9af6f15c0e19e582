import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { Shelf } from '#main/files/shelf'
import { makeFolder } from '#main/files/durable'
import { inSpan } from '#main/spans'
import {
  type HeldJob,
  type ServerJob,
  findServerJob,
  finishServerJob,
  isServerJobFree,
  isServerJobHeld,
  listOldServerJobs,
  listServerJobs,
  putServerJob,
  releaseServerJob,
  removeServerJob,
  renewServerJob,
  takeServerJob,
} from '#main/store/queues/server-jobs'
import type { Actor, Reader, Store, Tx } from '#main/store/core/store'
import type { Desk, DeskActs, DeskJob, DeskKind, DeskOutcome, DeskProgress } from './desk'
import { keepLease } from './keep-lease'

interface Parts<R> {
  readonly kind: DeskKind<R>
  readonly shelf: Shelf
  readonly data_folder: string
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

const desk: Actor = { user_id: 0, origin: 'system', request_id: null, if_match: null }

/** How often it is looked for jobs of servers that were killed. */
const lookMs = 2_000
const sweepEveryMs = 60 * 60 * 1000
/** What nobody's job names is removed after a day: it may have come just now. */
const unnamedMs = 24 * 60 * 60 * 1000
/** A job at which so many servers ended is not tried again. */
const mostTakes = 3

/** The desk of several servers on one database: any of them answers for all jobs, and one at a time has each, by a lease. Files are on the shelf of the bucket. */
export class SharedDesk<R extends { readonly id: string }> implements Desk<R> {
  readonly #parts: Parts<R>
  /** Where files are while this server works on them. */
  readonly #root: string
  #timers: NodeJS.Timeout[] = []
  #stopListening: (() => void) | undefined
  #running: Promise<void> | undefined
  #current: { readonly held: HeldJob; readonly stop: AbortController } | undefined
  #isClosed = false

  constructor(parts: Parts<R>) {
    this.#parts = parts
    this.#root = join(parts.data_folder, 'desk', parts.kind.name)
  }

  async begin(): Promise<void> {
    const { kind, store } = this.#parts
    await rm(this.#root, { recursive: true, force: true })
    this.#timers = [setInterval(() => this.#wake(), lookMs).unref(), setInterval(() => void this.#sweep(), sweepEveryMs).unref()]
    this.#stopListening = store.signals.on(({ topic }) => {
      if (topic !== kind.name && topic !== 'all') return
      this.#wake()
      void this.#look()
    })
    void this.#sweep()
    this.#wake()
  }

  async list(): Promise<Array<DeskJob<R>>> {
    return this.#listIn(this.#parts.store.reader)
  }
  async find(id: string): Promise<DeskJob<R> | undefined> {
    return this.#findIn(this.#parts.store.reader, id)
  }
  async #listIn(reader: Reader): Promise<Array<DeskJob<R>>> {
    return (await listServerJobs(reader, this.#parts.kind.name)).map((row) => this.#show(row))
  }
  async #findIn(reader: Reader, id: string): Promise<DeskJob<R> | undefined> {
    const row = await findServerJob(reader, this.#keyOf(id))
    return row && this.#show(row)
  }
  #show({ record, waits, held, done, total }: ServerJob): DeskJob<R> {
    return { record: this.#parse(record), progress: waits === 1 ? { done, total, isRunning: held === 1 } : undefined, isLost: false }
  }
  #parse(record: string): R {
    return this.#parts.kind.parse(JSON.parse(record))
  }
  #keyOf(id: string) {
    return { kind: this.#parts.kind.name, id }
  }
  async findFile(id: string, name: string) {
    const { store, shelf } = this.#parts
    const row = await findServerJob(store.reader, this.#keyOf(id))
    return row?.place == null ? undefined : shelf.find(this.#named(id, `${row.place}/${name}`))
  }
  #named(id: string, name: string): string {
    return `${this.#parts.kind.name}/${id}/${name}`
  }

  async add(record: R, { check, file }: Parameters<Desk<R>['add']>[1]): Promise<void> {
    const { shelf } = this.#parts
    if (file) await shelf.put(this.#named(record.id, file.name), file.received.path)
    try {
      await this.act(async (acts) => {
        if (await acts.find(record.id)) return
        await check(acts)
        await acts.start(record)
      })
    } catch (error) {
      await this.#removeFiles(record.id)
      throw error
    }
  }
  async act<T>(work: (acts: DeskActs<R>) => Promise<T>): Promise<T> {
    const removed: string[] = []
    const result = await this.#parts.store.transact(desk, (tx) => {
      removed.length = 0
      return work({
        reader: tx,
        list: () => this.#listIn(tx),
        find: (id) => this.#findIn(tx, id),
        // Who has the job stores nothing any more once this transaction has taken it away.
        stop: () => Promise.resolve(),
        start: async (record) => {
          await putServerJob(tx, this.#keyOf(record.id), JSON.stringify(record))
          this.#signal(tx, record)
        },
        remove: async (record) => {
          await removeServerJob(tx, this.#keyOf(record.id))
          removed.push(record.id)
          this.#signal(tx, record)
        },
      })
    })
    for (const id of removed) await this.#removeFiles(id)
    return result
  }
  #signal(tx: Tx, record: R): void {
    tx.signal(this.#parts.kind.signalOf(record))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#stopListening?.()
    this.#current?.stop.abort()
    await this.#running
  }

  /** Stops what runs here if it was removed or begun again. */
  async #look(): Promise<void> {
    const current = this.#current
    if (!current) return
    const isHeld = await isServerJobHeld(this.#parts.store.reader, current.held).catch(() => true)
    if (!isHeld) current.stop.abort()
  }
  #wake(): void {
    if (this.#isClosed) return
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined))
  }
  async #runAll(): Promise<void> {
    const { kind, log } = this.#parts
    try {
      while (!this.#isClosed && (await this.#runOne()));
    } catch (err) {
      log.error({ err, kind: kind.name }, 'jobs could not be taken')
    }
  }
  async #runOne(): Promise<boolean> {
    const { kind, store, clock } = this.#parts
    if (!(await isServerJobFree(store.reader, kind.name))) return false
    // Who looks into the table sees which process it is.
    const holder = `${process.pid}-${clock.uid()}`
    const row = await store.transact(desk, async (tx) => {
      const taken = await takeServerJob(tx, { kind: kind.name, holder })
      if (taken) this.#signal(tx, this.#parse(taken.record))
      return taken
    })
    if (row) await this.#run(row, { kind: kind.name, id: row.id, holder })
    return row !== undefined
  }

  async #run(row: ServerJob, held: HeldJob): Promise<void> {
    const { kind, log } = this.#parts
    const record = this.#parse(row.record)
    const folder = join(this.#root, held.holder)
    const stop = new AbortController()
    this.#current = { held, stop }
    let progress: DeskProgress = { done: 0, total: null }
    const lease = keepLease({ renew: () => this.#renew(record, held, progress), stop, nowMs: () => this.#parts.clock.monotonicMs() })
    try {
      if (row.takes > mostTakes) throw new Error('Several servers ended while they had this job.')
      await this.#fetch(record, folder)
      const onProgress = (next: DeskProgress) => {
        progress = next
        lease.note()
      }
      await this.#keep(
        held,
        folder,
        await inSpan(kind.name, { isRoot: true }, () => kind.work(record, { folder, signal: stop.signal, onProgress, held })),
      )
    } catch (err) {
      // A thread says in words that it lost the job: the row knows.
      if (stop.signal.aborted || !(await isServerJobHeld(this.#parts.store.reader, held))) await this.#leave(record, held)
      else {
        log.error({ err, kind: kind.name, id: record.id }, 'a job failed')
        await this.#finish(held, { record: kind.fail(record, err), written: [] })
      }
    } finally {
      this.#current = undefined
      lease.end()
      await rm(folder, { recursive: true, force: true })
    }
  }
  async #fetch({ id }: R, folder: string): Promise<void> {
    const { kind, shelf } = this.#parts
    await makeFolder(folder)
    for (const name of kind.given) {
      const file = await shelf.find(this.#named(id, name))
      if (file) await pipeline(file.read(), createWriteStream(join(folder, name)))
    }
  }
  #renew(record: R, held: HeldJob, progress: DeskProgress): Promise<void> {
    return this.#parts.store.transact(desk, async (tx) => {
      await renewServerJob(tx, held, progress)
      this.#signal(tx, record)
    })
  }
  /** Files are where nobody else writes, and are named only by who still has the job. */
  async #keep(held: HeldJob, folder: string, outcome: DeskOutcome<R>): Promise<void> {
    const { shelf } = this.#parts
    for (const name of outcome.written) await shelf.put(this.#named(held.id, `${held.holder}/${name}`), join(folder, name))
    await this.#finish(held, outcome)
    for (const name of outcome.unneeded ?? []) await shelf.remove(this.#named(held.id, name))
  }
  #finish(held: HeldJob, { record, written, effect }: DeskOutcome<R>): Promise<void> {
    const place = written.length > 0 ? held.holder : null
    return this.#parts.store.transact(effect?.actor ?? desk, async (tx) => {
      await finishServerJob(tx, held, { record: JSON.stringify(record), place })
      await effect?.store(tx)
      this.#signal(tx, record)
    })
  }
  /** What was stopped here is another server's, or nobody's. */
  async #leave(record: R, held: HeldJob): Promise<void> {
    await this.#parts.store.transact(desk, async (tx) => {
      await releaseServerJob(tx, held)
      this.#signal(tx, record)
    })
    await this.#removeFiles(held.id, held.holder)
  }

  async #removeFiles(id: string, place = ''): Promise<void> {
    const { shelf, log } = this.#parts
    try {
      for await (const { name } of shelf.list(this.#named(id, place))) await shelf.remove(name)
    } catch (err) {
      // The sweep removes them.
      log.warn({ err, id }, 'files of a job stay for now')
    }
  }
  /** Removes jobs that nobody has touched for long, and files of jobs that are not there. */
  async #sweep(): Promise<void> {
    const { kind, store, shelf, clock, log } = this.#parts
    try {
      for (const { record } of await listOldServerJobs(store.reader, kind.name, kind.keptMs))
        await this.act((acts) => acts.remove(this.#parse(record)))
      const known = new Set((await listServerJobs(store.reader, kind.name)).map(({ id }) => id))
      const before = clock.now().getTime() - unnamedMs
      for await (const { name, modified } of shelf.list(`${kind.name}/`)) {
        const [, id = ''] = name.split('/')
        if (modified.getTime() < before && !known.has(id)) await shelf.remove(name)
      }
    } catch (err) {
      log.warn({ err, kind: kind.name }, 'old jobs stay for now')
    }
  }
}
