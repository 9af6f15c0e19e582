import type { Logger } from 'pino'
import { type Export, type ExportBody, maxExports } from '#shared/contract/instance/exports'
import { toInstant } from '#shared/domain/dates'
import { DomainError, notFound } from '#shared/domain/errors'
import type { Layout } from '#shared/domain/exports/layout'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { Clock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import type { Store } from '#main/store/core/store'
import { findWritten, recordHandover } from '../handovers/record-handover'
import type { HandoverTask } from '../handovers/handover-task'
import { ExportFiles, type ExportRecord } from './export-files'
import { formats } from './formats'
import { ExportFailed, runExportApart } from './run-export-apart'
import { assertExportable } from './run-export'

/** Which export of whom. */
export interface ExportKey {
  readonly id: string
  readonly user_id: number
}

/** What an instance exports with. */
export interface ExportDeskParts {
  readonly data_folder: string
  readonly store: Store
  readonly blobs: BlobStore
  readonly clock: Clock
  readonly log: Logger
}

/** Who asks, and what the file is handed over as. */
export interface ExportAsker {
  readonly user_id: number
  readonly locale: Language
  readonly handover?: HandoverTask | null
  readonly layout?: Layout | null
}

/** A handover as it was asked for. */
export interface AskedHandover extends HandoverTask, Pick<Export, 'state'> {
  readonly title: string | null
}

/** An export that waits or runs. */
interface Job {
  done: number
  total: number | null
  isRunning: boolean
  readonly stop: AbortController
  ended: Promise<void>
}

/** A file to download. */
export interface ExportedFile {
  readonly path: string
  readonly file_name: string
  readonly content_type: string
  readonly sha256: string
}

const keptMs = 24 * 60 * 60 * 1000
const sweepEveryMs = 60 * 60 * 1000

/** Writes exports one after another, in the background. Each is its user's alone, and is removed a day after it was asked for. */
export class ExportDesk {
  readonly #files: ExportFiles
  readonly #jobs = new Map<string, Job>()
  /** Those whose failure could not be written down either. */
  readonly #lost = new Set<string>()
  #lane: Promise<unknown> = Promise.resolve()
  #acts: Promise<unknown> = Promise.resolve()
  #sweeping: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(readonly parts: ExportDeskParts) {
    this.#files = new ExportFiles(parts.data_folder)
  }

  /** Removes what is old, and writes again what an earlier process did not finish. */
  async begin(): Promise<void> {
    await this.#sweep()
    this.#sweeping = setInterval(() => void this.#act(() => this.#sweep()), sweepEveryMs).unref()
    for (const record of (await this.#files.list()).toReversed())
      if (record.state === 'waiting' || record.state === 'running') this.#start(record)
  }

  async #sweep(): Promise<void> {
    await this.#files.sweep(new Date(this.parts.clock.now().getTime() - keptMs))
  }

  /** A user's exports, newest first; each without the address of its file. */
  async list(user_id: number, locale: Language): Promise<Export[]> {
    const records = (await this.#files.list()).filter((record) => record.user_id === user_id && !this.#isOld(record))
    return records.map((record) => this.#show(record, locale))
  }

  /** Whether the user has such an export. */
  async has(key: ExportKey): Promise<boolean> {
    return (await this.#find(key)) !== undefined
  }

  /** Throws `not_found`. */
  async show(key: ExportKey, locale: Language): Promise<Export> {
    return this.#show(await this.#get(key), locale)
  }

  /** What an export is handed over as, and what was asked for; undefined where it is not the caller's, or is no handover. */
  async findHandover(key: ExportKey): Promise<AskedHandover | undefined> {
    const record = await this.#find(key)
    return record?.handover ? { ...record.handover, state: record.state, title: record.asked.title ?? null } : undefined
  }

  /** The whole file of an export, for someone who was given its address; undefined where it is not there any more. */
  async findFile(id: string): Promise<ExportedFile | undefined> {
    const record = await this.#files.find(id)
    if (record?.state !== 'finished' || record.sha256 === null || this.#isOld(record)) return undefined
    const { content_type } = formats[record.format]
    return { path: this.#files.pathOf(id), file_name: record.file_name, content_type, sha256: record.sha256 }
  }

  /** Takes an export. Throws `invalid` where its filter cannot be read, and `not_possible` where there are too many. */
  async add(asked: ExportBody, { user_id, locale, handover = null, layout = null }: ExportAsker): Promise<string> {
    const { clock, store } = this.parts
    await assertExportable(store.reader, asked, user_id)
    const created_at = toInstant(clock.now())
    const { format, list = 'expenses' } = asked
    const name = translate(locale, `exports:lists.${list}`).toLowerCase().replaceAll(' ', '-')
    const record: ExportRecord = {
      ...{ id: clock.uid(), user_id, locale, format, asked, handover, layout, created_at, state: 'waiting', reason: null },
      file_name: `${name}-${created_at.slice(0, 10)}.${formats[format].extension}`,
      ...{ finished_at: null, done: 0, total: null, bytes: null, sha256: null },
    }
    await this.#act(async () => {
      const own = (await this.#files.list()).filter((known) => known.user_id === user_id && !this.#isOld(known))
      if (own.length >= maxExports)
        throw new DomainError({ kind: 'not_possible', code: 'export.too_many', params: { limit: maxExports } })
      await this.#files.add(record)
      this.#start(record)
    })
    return record.id
  }

  /** Stops an export and removes its file; with `keepsRecorded` not one that was handed over meanwhile. Throws `not_found`, and `not_possible` where it was handed over before it could be stopped. */
  async remove(key: ExportKey, { keepsRecorded = false } = {}): Promise<void> {
    await this.#act(async () => {
      const { id, user_id, state, handover } = await this.#get(key)
      await this.#stop(id)
      const isRecorded = handover && (keepsRecorded || state === 'waiting') && (await findWritten(this.parts.store.reader, { uid: id, ...handover }))
      if (isRecorded) throw new DomainError({ kind: 'not_possible', code: 'export.handed_over' })
      await this.#files.remove(id)
      this.#lost.delete(id)
      this.#signal({ user_id })
    })
  }

  /** Stops what runs; the next start writes it again. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#sweeping)
    await Promise.all([...this.#jobs.keys()].map((id) => this.#stop(id)))
    await this.#lane
  }

  /** One act at a time: each decides by what the one before left. */
  #act<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#acts.then(work)
    this.#acts = turn.catch(() => undefined)
    return turn
  }

  #start(record: ExportRecord): void {
    if (this.#isClosed) return
    const job: Job = { done: 0, total: null, isRunning: false, stop: new AbortController(), ended: Promise.resolve() }
    this.#jobs.set(record.id, job)
    this.#signal(record)
    job.ended = this.#lane.then(async () => {
      await this.#run(record, job).catch((err: unknown) => this.#fail(record, err, job))
      this.#jobs.delete(record.id)
      this.#signal(record)
    })
    this.#lane = job.ended
  }

  async #run(record: ExportRecord, job: Job): Promise<void> {
    const { data_folder, clock, store } = this.parts
    const { id, user_id, locale, asked, handover, layout } = record
    job.stop.signal.throwIfAborted()
    job.isRunning = true
    this.#signal(record)
    const path = this.#files.pathOf(id)
    const { database_url } = store
    const task = { data_folder, database_url, path, user_id, locale, asked, handover, layout, made_at: new Date(record.created_at) }
    const onProgress = ({ done, total }: { done: number; total: number }) => {
      Object.assign(job, { done, total })
      this.#signal(record)
    }
    // A process that ended right after it had recorded a handover left its file whole.
    const written =
      (handover && (await findWritten(store.reader, { uid: id, ...handover }))) ??
      (await runExportApart(this.parts, task, { onProgress, signal: job.stop.signal }))
    job.stop.signal.throwIfAborted()
    if (handover) await recordHandover(store, { ...record, handover }, { ...written, path })
    await this.#files.write({ ...record, ...written, state: 'finished', finished_at: toInstant(clock.now()) })
  }

  /** A stop is no failure: who stopped it removes it, or the next start writes it. */
  async #fail(record: ExportRecord, err: unknown, { stop }: Job): Promise<void> {
    if (stop.signal.aborted) return
    const { log } = this.parts
    log.error({ err, export_id: record.id }, 'an export failed')
    const reason = err instanceof ExportFailed ? err.code : 'export.failed'
    await this.#files.write({ ...record, state: 'failed', reason }).catch((error: unknown) => {
      this.#lost.add(record.id)
      log.error({ err: error, export_id: record.id }, 'and could not be noted')
    })
  }

  #signal({ user_id }: Pick<ExportRecord, 'user_id'>): void {
    this.parts.store.signals.emit({ topic: 'exports', user_id })
  }

  async #stop(id: string): Promise<void> {
    const job = this.#jobs.get(id)
    job?.stop.abort()
    await job?.ended
  }

  #isOld({ created_at }: ExportRecord): boolean {
    return this.parts.clock.now().getTime() - new Date(created_at).getTime() > keptMs
  }

  async #find({ id, user_id }: ExportKey): Promise<ExportRecord | undefined> {
    const record = await this.#files.find(id)
    return record?.user_id === user_id && !this.#isOld(record) ? record : undefined
  }

  async #get(key: ExportKey): Promise<ExportRecord> {
    const record = await this.#find(key)
    if (!record) throw notFound()
    return record
  }

  #show(record: ExportRecord, locale: Language): Export {
    const { user_id: _user, locale: _locale, asked: _asked, handover: _handover, layout: _layout, reason, ...shown } = record
    const job = this.#jobs.get(record.id)
    const isLost = this.#lost.has(record.id)
    const code = isLost ? 'export.no_room' : reason
    return {
      ...shown,
      ...(job && { state: job.isRunning ? ('running' as const) : ('waiting' as const), done: job.done, total: job.total }),
      ...(isLost && { state: 'failed' as const }),
      message: code === null ? null : translate(locale, `errors:${code}`),
      url: null,
    }
  }
}
