import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { toInstant } from '#shared/domain/dates'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import type { Clock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import { makeFolder } from '#main/files/durable'
import { type Shelf, createFolderShelf } from '#main/files/shelf'
import { inSpan } from '#main/spans'
import {
  type HeldJob,
  type Job,
  assertJobHeld,
  endJob,
  findJob,
  isJobHeld,
  listFreeJobs,
  listJobs,
  listOldJobs,
  putJob,
  releaseJob,
  releaseJobsOfBefore,
  removeJob,
  renewJob,
  takeJob,
} from '#main/store/queues/jobs'
import type { Actor, Reader, Store, Tx } from '#main/store/core/store'
import type { DeskActs, DeskJob, DeskKind, DeskOutcome, DeskProgress, NewJob } from './desk'
import { keepLease } from './keep-lease'

interface Parts<R> {
  readonly kind: DeskKind<R>
  readonly data_folder: string
  readonly store: Store
  readonly blobs: Pick<BlobStore, 'shelf'>
  readonly clock: Clock
  readonly log: Logger
}

/** The job that this process works on. */
interface Current {
  readonly held: HeldJob
  readonly stop: AbortController
  progress: DeskProgress
}

const desk: Actor = { user_id: 0, origin: 'system', request_id: null, if_match: null }

/** How often it is looked for jobs of servers that were killed. */
const lookMs = 2_000
const sweepEveryMs = 60 * 60 * 1000
/** What nobody's job names is removed after a day: it may have come just now. */
const unnamedMs = 24 * 60 * 60 * 1000
/** A job at which so many servers ended is not tried again. */
const mostTakes = 3

/**
 * Jobs that people wait for, with files, done one after another in the background. Records are rows, and files are on a shelf. Servers that share a database
 * and a bucket share the jobs: any of them answers for all, and one at a time has each, by a lease. The one process of a folder has what it takes until it ends.
 */
export class JobDesk<R extends { readonly id: string }> {
  readonly #parts: Parts<R>
  readonly #shelf: Shelf
  /** Whether no other process does jobs. */
  readonly #isAlone: boolean
  /** Whether what is taken is taken for a while: a database behind a network may be away when that ends. */
  readonly #hasLeases: boolean
  /** Where files are while this server works on them. */
  readonly #root: string
  /** Those that this disk has no room for, not even for a note of that. The next start does them. */
  readonly #lost = new Set<string>()
  #timers: NodeJS.Timeout[] = []
  #stopListening: (() => void) | undefined
  #running: Promise<void> | undefined
  #current: Current | undefined
  #hasBegun = false
  #isClosed = false

  constructor(parts: Parts<R>) {
    const { data_folder, store, blobs } = parts
    this.#parts = parts
    const shared = store.peers && blobs.shelf
    this.#isAlone = shared === undefined
    this.#hasLeases = store.peers !== undefined
    this.#shelf = shared ?? createFolderShelf(data_folder)
    this.#root = join(data_folder, 'desk', parts.kind.name)
  }

  /** Begins to work, also on what was left. */
  async begin(): Promise<void> {
    const { kind, store } = this.#parts
    await rm(this.#root, { recursive: true, force: true })
    if (store.hasRoom()) await this.#takeOver()
    this.#timers = [setInterval(() => void this.#sweep(unnamedMs), sweepEveryMs).unref()]
    if (this.#hasLeases || !this.#hasBegun) this.#timers.push(setInterval(() => this.#wake(), lookMs).unref())
    this.#stopListening = store.signals.on(({ topic }) => {
      if (topic !== kind.name && topic !== 'all') return
      this.#wake()
      void this.#look()
    })
    this.#wake()
  }
  /** Continues what the process before left. */
  async #takeOver(): Promise<void> {
    const { kind, store } = this.#parts
    if (this.#isAlone) {
      await this.#takeFiles()
      await store.transact(desk, async (tx) => {
        await releaseJobsOfBefore(tx, kind.name)
        for (const { id, record } of await listFreeJobs(tx, kind.name)) {
          const next = kind.resume(this.#parse(record))
          if (next !== 'start' && next) await endJob(tx, this.#keyOf(id), { record: JSON.stringify(next), place: null })
        }
      })
    }
    await this.#sweep(this.#isAlone ? 0 : unnamedMs)
    this.#hasBegun = true
  }
  /** Takes the jobs that an earlier version kept in files; what they have written stays where it is. */
  async #takeFiles(): Promise<void> {
    const { kind, store, data_folder } = this.#parts
    const root = join(data_folder, kind.name)
    for (const id of await readdir(root).catch(() => [])) {
      const path = join(root, id, kind.earlier)
      // One that cannot be read holds nothing up.
      const read = readFile(path, 'utf8').then((text) => this.#parse(text))
      const record = await read.catch(() => undefined)
      if (!record) continue
      await store.transact(desk, async (tx) => {
        const next = kind.resume(record) ?? record
        const text = JSON.stringify(next === 'start' ? record : next)
        await putJob(tx, this.#keyOf(id), text)
        await endJob(tx, this.#keyOf(id), { record: text, place: '' })
        if (next === 'start') await putJob(tx, this.#keyOf(id), text)
      })
      await rm(path)
    }
  }

  /** Every job, newest first. */
  async list(): Promise<Array<DeskJob<R>>> {
    return this.#listIn(this.#parts.store.reader)
  }
  async find(id: string): Promise<DeskJob<R> | undefined> {
    return this.#findIn(this.#parts.store.reader, id)
  }
  async #listIn(reader: Reader): Promise<Array<DeskJob<R>>> {
    return (await listJobs(reader, this.#parts.kind.name)).map((row) => this.#show(row))
  }
  async #findIn(reader: Reader, id: string): Promise<DeskJob<R> | undefined> {
    const row = await findJob(reader, this.#keyOf(id))
    return row && this.#show(row)
  }
  #show({ id, record, waits, held, done, total }: Job): DeskJob<R> {
    // It knows more of the job that it does than is stored.
    const { progress = { done, total } } = held === 1 && this.#current?.held.id === id ? this.#current : {}
    return {
      record: this.#parse(record),
      progress: waits === 1 ? { ...progress, isRunning: held === 1 } : undefined,
      isLost: this.#lost.has(id),
    }
  }
  #parse(record: string): R {
    return this.#parts.kind.parse(JSON.parse(record))
  }
  #keyOf(id: string) {
    return { kind: this.#parts.kind.name, id }
  }
  /** A file that a job has written; undefined where there is none. */
  async findFile(id: string, name: string) {
    const row = await findJob(this.#parts.store.reader, this.#keyOf(id))
    return row?.place == null ? undefined : this.#shelf.find(this.#named(id, row.place, name))
  }
  #named(...names: string[]): string {
    return [this.#parts.kind.name, ...names].filter((name) => name !== '').join('/')
  }

  /** Takes a job, with the file that it begins with, unless it is here already; `check` refuses it. */
  async add(record: R, { check, file }: NewJob<R>): Promise<void> {
    if (file) await this.#shelf.put(this.#named(record.id, file.name), file.received.path)
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
  /** One act at a time: each decides by what the one before left. */
  async act<T>(work: (acts: DeskActs<R>) => Promise<T>): Promise<T> {
    const removed: string[] = []
    const result = await this.#parts.store.transact(desk, (tx) => {
      removed.length = 0
      return work({
        reader: tx,
        list: () => this.#listIn(tx),
        find: (id) => this.#findIn(tx, id),
        start: async (record) => {
          await putJob(tx, this.#keyOf(record.id), JSON.stringify(record))
          this.#signal(tx, record)
        },
        remove: async (record) => {
          await removeJob(tx, this.#keyOf(record.id))
          removed.push(record.id)
          this.#signal(tx, record)
        },
      })
    })
    for (const id of removed) {
      this.#lost.delete(id)
      await this.#removeFiles(id)
    }
    return result
  }
  #signal(tx: Tx, record: R): void {
    tx.signal(this.#parts.kind.signalOf(record))
  }
  /** The same of what is not stored. */
  #emit(record: R): void {
    this.#parts.store.signals.emit(this.#parts.kind.signalOf(record))
  }

  /** Stops what runs; another server does it, or the next start. */
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
    const isHeld = await isJobHeld(this.#parts.store.reader, current.held).catch(() => true)
    if (!isHeld) current.stop.abort()
  }
  #wake(): void {
    if (this.#isClosed) return
    this.#running ??= this.#runAll().finally(() => (this.#running = undefined))
  }
  async #runAll(): Promise<void> {
    const { kind, store, log } = this.#parts
    try {
      if (!this.#hasBegun && !store.hasRoom()) return
      if (!this.#hasBegun) await this.#takeOver()
      while (!this.#isClosed && (await this.#runOne()));
    } catch (err) {
      log.error({ err, kind: kind.name }, 'jobs could not be taken')
    }
  }
  async #runOne(): Promise<boolean> {
    const { kind, store, clock } = this.#parts
    const free = (await listFreeJobs(store.reader, kind.name)).find(({ id }) => !this.#lost.has(id))
    if (!free) return false
    // Who looks into the table sees which process it is.
    const held = { ...this.#keyOf(free.id), holder: `${process.pid}-${clock.uid()}` }
    try {
      const row = await store.transact(desk, async (tx) => {
        const taken = await takeJob(tx, held, this.#hasLeases)
        if (taken) this.#signal(tx, this.#parse(taken.record))
        return taken
      })
      if (row) await this.#run(row, held)
    } catch (error) {
      if (this.#hasLeases || !isOutOfRoom(error)) throw error
      this.#lose(this.#parse(free.record), error)
    }
    return true
  }
  #lose(record: R, err: unknown): void {
    const { kind, log } = this.#parts
    log.error({ err, kind: kind.name, id: record.id }, 'a job failed, and that could not be noted')
    this.#lost.add(record.id)
    this.#emit(record)
  }

  async #run(row: Job, held: HeldJob): Promise<void> {
    const { kind, clock } = this.#parts
    const record = this.#parse(row.record)
    const folder = join(this.#root, held.holder)
    const stop = new AbortController()
    const current: Current = { held, stop, progress: { done: 0, total: null } }
    this.#current = current
    const renew = () => this.#renew(record, held, current.progress)
    const lease = this.#hasLeases ? keepLease({ renew, stop, nowMs: () => clock.monotonicMs() }) : undefined
    try {
      if (row.takes > mostTakes) throw new Error('Several servers ended while they had this job.')
      await makeFolder(folder)
      if (kind.given !== undefined) await this.#shelf.fetch(this.#named(record.id, kind.given), join(folder, kind.given))
      const onProgress = (progress: DeskProgress) => {
        current.progress = progress
        if (lease) lease.note()
        else this.#emit(record)
      }
      const work = { folder, signal: stop.signal, onProgress, held }
      await this.#keep(row, folder, { held, ...(await inSpan(kind.name, { isRoot: true }, () => kind.work(record, work))) })
    } catch (err) {
      await this.#fail(record, err, current)
    } finally {
      this.#current = undefined
      lease?.end()
      await rm(folder, { recursive: true, force: true })
    }
  }
  async #fail(record: R, err: unknown, { held, stop }: Current): Promise<void> {
    const { kind, store, log } = this.#parts
    // A thread says in words that it lost the job: the row knows.
    if (stop.signal.aborted || !(await isJobHeld(store.reader, held))) return this.#leave(record, held)
    log.error({ err, kind: kind.name, id: record.id }, 'a job failed')
    await this.#finish(held, { record: kind.fail(record, err), written: [] }).catch((error: unknown) => {
      if (this.#hasLeases) throw error
      this.#lose(record, error)
    })
  }
  #renew(record: R, held: HeldJob, progress: DeskProgress): Promise<void> {
    return this.#parts.store.transact(desk, async (tx) => {
      await renewJob(tx, held, progress)
      this.#signal(tx, record)
    })
  }
  /** Files are where nobody else writes, and are named only by who still has the job. */
  async #keep({ place }: Job, folder: string, { held, ...outcome }: DeskOutcome<R> & { readonly held: HeldJob }): Promise<void> {
    for (const name of outcome.written) await this.#shelf.put(this.#named(held.id, held.holder, name), join(folder, name))
    await this.#finish(held, outcome)
    if (place && outcome.written.length > 0) await this.#removeFiles(held.id, place)
    for (const name of outcome.unneeded ?? []) await this.#removeFiles(held.id, name)
  }
  #finish(held: HeldJob, { record, written, effect }: DeskOutcome<R>): Promise<void> {
    const place = written.length > 0 ? held.holder : null
    return this.#parts.store.transact(effect?.actor ?? desk, async (tx) => {
      await assertJobHeld(tx, held)
      await endJob(tx, held, { record: JSON.stringify(record), place })
      await effect?.store(tx)
      this.#signal(tx, record)
    })
  }
  /** What was stopped here is another server's, or nobody's. */
  async #leave(record: R, held: HeldJob): Promise<void> {
    await this.#parts.store.transact(desk, async (tx) => {
      await releaseJob(tx, held)
      this.#signal(tx, record)
    })
    await this.#removeFiles(held.id, held.holder)
  }

  async #removeFiles(...names: string[]): Promise<void> {
    try {
      await this.#shelf.remove(this.#named(...names))
    } catch (err) {
      // The sweep removes them.
      this.#parts.log.warn({ err, names }, 'files of a job stay for now')
    }
  }
  /** Removes jobs that nobody has touched for long or whose files are gone, and files for so long there that are of no job. */
  async #sweep(olderThanMs: number): Promise<void> {
    const { kind, store, clock, log } = this.#parts
    const nowMs = clock.now().getTime()
    try {
      const old = await listOldJobs(store.reader, kind.name, toInstant(new Date(nowMs - kind.keptMs)))
      for (const { record } of old) await this.act((acts) => acts.remove(this.#parse(record)))
      // Files come before the row that names them, and go after it.
      const known = new Map((await listJobs(store.reader, kind.name)).map((row) => [row.id, row]))
      const found = new Set<string>()
      for await (const { name, modified } of this.#shelf.list(kind.name)) {
        const [, id = '', place, file] = name.split('/')
        const row = known.get(id)
        if (row) found.add(id)
        const isNamed = row && (file === undefined || row.waits === 1 || row.place === place)
        if (!isNamed && modified.getTime() <= nowMs - olderThanMs) await this.#shelf.remove(name)
      }
      // The database is of another moment than the files.
      const needsFiles = ({ waits, place }: Job) => kind.given !== undefined || (waits === 0 && place !== null)
      const without = [...known.values()].filter((row) => !found.has(row.id) && needsFiles(row))
      for (const { record } of without) await this.act((acts) => acts.remove(this.#parse(record)))
    } catch (err) {
      log.warn({ err, kind: kind.name }, 'old jobs stay for now')
    }
  }
}
