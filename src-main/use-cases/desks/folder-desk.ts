import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import type { ReceivedFile } from '#main/files/blob-store'
import { inSpan } from '#main/spans'
import type { Store } from '#main/store/core/store'
import type { Desk, DeskActs, DeskJob, DeskKind, DeskOutcome } from './desk'

/** Where the records and files of jobs are: a folder each. */
export interface DeskFolder<R> {
  folderOf(id: string): string
  list(): Promise<R[]>
  find(id: string): Promise<R | undefined>
  add(record: R, file?: ReceivedFile): Promise<void>
  write(record: R): Promise<void>
  remove(id: string): Promise<void>
  /** Removes what is from before. */
  sweep(before: Date): Promise<void>
}

interface Parts<R> {
  readonly kind: DeskKind<R>
  readonly files: DeskFolder<R>
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

/** A job that waits or runs. */
interface Running {
  done: number
  total: number | null
  isRunning: boolean
  readonly stop: AbortController
  ended: Promise<void>
}

const sweepEveryMs = 60 * 60 * 1000

/** The desk of the one process that serves a folder. */
export class FolderDesk<R extends { readonly id: string }> implements Desk<R> {
  readonly #parts: Parts<R>
  readonly #jobs = new Map<string, Running>()
  /** Those whose failure could not be written down either. */
  readonly #lost = new Set<string>()
  #lane: Promise<unknown> = Promise.resolve()
  #acts: Promise<unknown> = Promise.resolve()
  #sweeping: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: Parts<R>) {
    this.#parts = parts
  }

  async begin(): Promise<void> {
    const { kind, files } = this.#parts
    await this.#sweep()
    this.#sweeping = setInterval(() => void this.#turn(() => this.#sweep()), sweepEveryMs).unref()
    for (const record of (await files.list()).toReversed()) {
      const next = kind.resume(record)
      if (next === 'start') this.#start(record)
      else if (next) await files.write(next)
    }
  }
  async #sweep(): Promise<void> {
    const { kind, files, clock } = this.#parts
    await files.sweep(new Date(clock.now().getTime() - kind.keptMs))
  }

  async list(): Promise<Array<DeskJob<R>>> {
    return (await this.#parts.files.list()).map((record) => this.#show(record))
  }
  async find(id: string): Promise<DeskJob<R> | undefined> {
    const record = await this.#parts.files.find(id)
    return record && this.#show(record)
  }
  #show(record: R): DeskJob<R> {
    const job = this.#jobs.get(record.id)
    return { record, progress: job && { done: job.done, total: job.total, isRunning: job.isRunning }, isLost: this.#lost.has(record.id) }
  }
  async findFile(id: string, name: string) {
    const path = join(this.#parts.files.folderOf(id), name)
    const found = await stat(path).catch(() => undefined)
    return found && { bytes: found.size, read: (span = {}) => createReadStream(path, span) }
  }

  add(record: R, { check, file }: Parameters<Desk<R>['add']>[1]): Promise<void> {
    return this.act(async (acts) => {
      if (await acts.find(record.id)) return
      await check(acts)
      await this.#parts.files.add(record, file?.received)
      this.#start(record)
    })
  }
  act<T>(work: (acts: DeskActs<R>) => Promise<T>): Promise<T> {
    const { store, files } = this.#parts
    return this.#turn(() =>
      work({
        reader: store.reader,
        list: () => this.list(),
        find: (id) => this.find(id),
        stop: (id) => this.#stop(id),
        start: async (record) => {
          await this.#stop(record.id)
          await files.write(record)
          this.#start(record)
        },
        remove: async (record) => {
          await files.remove(record.id)
          this.#lost.delete(record.id)
          this.#signal(record)
        },
      }),
    )
  }
  #turn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#acts.then(work)
    this.#acts = turn.catch(() => undefined)
    return turn
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweeping)
    await Promise.all([...this.#jobs.keys()].map((id) => this.#stop(id)))
    await this.#lane
  }

  #start(record: R): void {
    if (this.#isClosed) return
    const job: Running = { done: 0, total: null, isRunning: false, stop: new AbortController(), ended: Promise.resolve() }
    this.#jobs.set(record.id, job)
    this.#signal(record)
    job.ended = this.#lane.then(async () => {
      await this.#run(record, job).catch((err: unknown) => this.#fail(record, err, job))
      this.#jobs.delete(record.id)
      this.#signal(record)
    })
    this.#lane = job.ended
  }
  async #run(record: R, job: Running): Promise<void> {
    const { kind, files } = this.#parts
    const { signal } = job.stop
    signal.throwIfAborted()
    job.isRunning = true
    this.#signal(record)
    const onProgress = (progress: { done: number; total: number | null }) => {
      Object.assign(job, progress)
      this.#signal(record)
    }
    await this.#keep(
      await inSpan(kind.name, { isRoot: true }, () =>
        kind.work(record, { folder: files.folderOf(record.id), signal, onProgress, held: undefined }),
      ),
    )
  }
  async #keep({ record, effect, unneeded = [] }: DeskOutcome<R>): Promise<void> {
    const { store, files } = this.#parts
    if (effect) await store.transact(effect.actor, effect.store)
    await files.write(record)
    for (const name of unneeded) await rm(join(files.folderOf(record.id), name), { force: true })
  }
  /** A stop is no failure: who stopped it removes it, or the next start does it. */
  async #fail(record: R, err: unknown, { stop }: Running): Promise<void> {
    if (stop.signal.aborted) return
    const { kind, files, log } = this.#parts
    log.error({ err, kind: kind.name, id: record.id }, 'a job failed')
    await files.write(kind.fail(record, err)).catch((error: unknown) => {
      this.#lost.add(record.id)
      log.error({ err: error, kind: kind.name, id: record.id }, 'and could not be noted')
    })
  }
  async #stop(id: string): Promise<void> {
    const job = this.#jobs.get(id)
    job?.stop.abort()
    await job?.ended
  }
  #signal(record: R): void {
    this.#parts.store.signals.emit(this.#parts.kind.signalOf(record))
  }
}
