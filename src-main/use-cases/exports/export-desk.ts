import { join } from 'node:path'
import type { Logger } from 'pino'
import { type Export, type ExportBody, maxExports } from '#shared/contract/instance/exports'
import { toInstant } from '#shared/domain/dates'
import { DomainError, notFound } from '#shared/domain/errors'
import type { Layout } from '#shared/domain/exports/layout'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { Clock } from '#main/clock'
import type { BlobStore } from '#main/files/blob-store'
import type { ReadableFile } from '#main/files/shelf'
import type { Actor, Store, Tx } from '#main/store/core/store'
import { runWithStore } from '#main/store/core/thread-store'
import type { DeskActs, DeskJob, DeskKind, DeskOutcome, DeskWork } from '../desks/desk'
import { JobDesk } from '../desks/job-desk'
import { findWritten, recordHandover } from '../handovers/record-handover'
import type { HandoverTask } from '../handovers/handover-task'
import { type ExportRecord, exportRecord } from './export-record'
import { formats } from './formats'
import { type ExportOutcome, type ExportProgress, type WrittenExport, assertExportable } from './run-export'

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
  /** Of the export. */
  readonly id: string
  readonly user_id: number
  readonly locale: Language
  readonly handover?: HandoverTask | null
  readonly layout?: Layout | null
}

/** A handover as it was asked for. */
export interface AskedHandover extends HandoverTask, Pick<Export, 'state'> {
  readonly title: string | null
}

/** A file to download. */
export interface ExportedFile extends ReadableFile {
  readonly file_name: string
  readonly content_type: string
  readonly sha256: string
}

/** An export that could not be written. */
class ExportFailed extends Error {
  constructor(
    message: string,
    /** The text that says it to a person. */
    readonly code: string,
  ) {
    super(message)
  }
}

const keptMs = 24 * 60 * 60 * 1000
/** The name of the file that an export writes. */
const fileName = 'file'

/** Writes exports one after another, in the background. Each is its user's alone, and is removed a day after it was asked for. */
export class ExportDesk {
  readonly #desk: JobDesk<ExportRecord>

  constructor(readonly parts: ExportDeskParts) {
    const kind: DeskKind<ExportRecord> = {
      name: 'exports',
      given: undefined,
      earlier: 'export.json',
      keptMs,
      parse: (value) => exportRecord.parse(value),
      signalOf: ({ user_id }) => ({ topic: 'exports', user_id }),
      resume: ({ state }) => (state === 'waiting' || state === 'running' ? 'start' : undefined),
      work: (record, work) => this.#write(record, work),
      fail: (record, error) => ({ ...record, state: 'failed', reason: error instanceof ExportFailed ? error.code : 'export.failed' }),
    }
    this.#desk = new JobDesk({ ...parts, kind })
  }

  /** Removes what is old, and writes again what an earlier process did not finish. */
  begin(): Promise<void> {
    return this.#desk.begin()
  }

  /** A user's exports, newest first; each without the address of its file. */
  async list(user_id: number, locale: Language): Promise<Export[]> {
    const jobs = (await this.#desk.list()).filter(({ record }) => record.user_id === user_id && !this.#isOld(record))
    return jobs.map((job) => show(job, locale))
  }

  /** Whether the user has such an export. */
  async has(key: ExportKey): Promise<boolean> {
    return this.#isOf(key, await this.#desk.find(key.id))
  }

  /** Throws `not_found`. */
  async show(key: ExportKey, locale: Language): Promise<Export> {
    return show(this.#own(key, await this.#desk.find(key.id)), locale)
  }

  /** What an export is handed over as, and what was asked for; undefined where it is not the caller's, or is no handover. */
  async findHandover(key: ExportKey): Promise<AskedHandover | undefined> {
    const job = await this.#desk.find(key.id)
    if (!this.#isOf(key, job)) return undefined
    const { handover, state, asked } = job.record
    return handover ? { ...handover, state, title: asked.title ?? null } : undefined
  }

  /** The whole file of an export, for someone who was given its address; undefined where it is not there any more. */
  async findFile(id: string): Promise<ExportedFile | undefined> {
    const record = (await this.#desk.find(id))?.record
    if (record?.state !== 'finished' || record.sha256 === null || this.#isOld(record)) return undefined
    const file = await this.#desk.findFile(id, fileName)
    const { content_type } = formats[record.format]
    return file && { ...file, file_name: record.file_name, content_type, sha256: record.sha256 }
  }

  /** Takes an export; one that is here already stays as it is. Throws `invalid` where its filter cannot be read, and `not_possible` where there are too many. */
  async add(asked: ExportBody, { id, user_id, locale, handover = null, layout = null }: ExportAsker): Promise<void> {
    const { clock, store } = this.parts
    await assertExportable(store.reader, asked, user_id)
    const created_at = toInstant(clock.now())
    const { format, list = 'expenses' } = asked
    const name = translate(locale, `exports:lists.${list}`).toLowerCase().replaceAll(' ', '-')
    const record: ExportRecord = {
      id,
      user_id,
      locale,
      format,
      asked,
      handover,
      layout,
      created_at,
      state: 'waiting',
      reason: null,
      file_name: `${name}-${created_at.slice(0, 10)}.${formats[format].extension}`,
      finished_at: null,
      done: 0,
      total: null,
      left_out: null,
      bytes: null,
      sha256: null,
    }
    const check = async (acts: DeskActs<ExportRecord>) => {
      const own = (await acts.list()).filter(({ record: known }) => known.user_id === user_id && !this.#isOld(known))
      if (own.length >= maxExports) throw new DomainError({ kind: 'not_possible', code: 'export.too_many', params: { limit: maxExports } })
    }
    await this.#desk.add(record, { check })
  }

  /** Stops an export and removes its file; with `keepsRecorded` not one that was handed over meanwhile. Throws `not_found`, and `not_possible` where it was handed over before it could be stopped. */
  async remove(key: ExportKey, { keepsRecorded = false } = {}): Promise<void> {
    await this.#desk.act(async (acts) => {
      const { record } = this.#own(key, await acts.find(key.id))
      const { id, state, handover } = record
      const isRecorded = handover && (keepsRecorded || state === 'waiting') && (await findWritten(acts.reader, { uid: id, ...handover }))
      if (isRecorded) throw new DomainError({ kind: 'not_possible', code: 'export.handed_over' })
      await acts.remove(record)
    })
  }

  /** Stops what runs; another server or the next start writes it again. */
  close(): Promise<void> {
    return this.#desk.close()
  }

  async #write(record: ExportRecord, work: DeskWork): Promise<DeskOutcome<ExportRecord>> {
    const { clock, store } = this.parts
    const { id, user_id, handover } = record
    const path = join(work.folder, fileName)
    const finish = (written: WrittenExport): ExportRecord => ({
      ...record,
      ...written,
      state: 'finished',
      finished_at: toInstant(clock.now()),
    })
    // An earlier version that ended right after it had recorded a handover left its file whole.
    const recorded = handover && (await findWritten(store.reader, { uid: id, ...handover }))
    if (recorded) return { record: finish(recorded), written: [] }
    const written = await this.#writeFile(record, path, work)
    const finished = finish(written)
    if (!handover) return { record: finished, written: [fileName] }
    const actor: Actor = { user_id, origin: 'api', request_id: null, if_match: null }
    const effect = { actor, store: (tx: Tx) => recordHandover(tx, { ...record, handover }, { ...written, path }) }
    return { record: finished, written: [fileName], effect }
  }

  async #writeFile(record: ExportRecord, path: string, { signal, onProgress }: DeskWork): Promise<WrittenExport> {
    const { data_folder, store, blobs } = this.parts
    const { user_id, locale, asked, handover, layout, created_at } = record
    const places = { data_folder, database_url: store.database_url, place: blobs.place, path }
    const task = { ...places, user_id, locale, asked, handover, layout, made_at: new Date(created_at) }
    const outcome = await runWithStore<ExportOutcome, ExportProgress>(store, { name: 'export', task }, { signal, onProgress })
    if (outcome.kind === 'failed') throw new ExportFailed(outcome.message, outcome.code)
    return outcome.written
  }

  #isOld({ created_at }: ExportRecord): boolean {
    return this.parts.clock.now().getTime() - new Date(created_at).getTime() > keptMs
  }

  #isOf(key: ExportKey, job: DeskJob<ExportRecord> | undefined): job is DeskJob<ExportRecord> {
    return job?.record.user_id === key.user_id && !this.#isOld(job.record)
  }

  #own(key: ExportKey, job: DeskJob<ExportRecord> | undefined): DeskJob<ExportRecord> {
    if (!this.#isOf(key, job)) throw notFound()
    return job
  }
}

function show({ record, progress, isLost }: DeskJob<ExportRecord>, locale: Language): Export {
  const { user_id: _user, locale: _locale, asked: _asked, handover: _handover, layout: _layout, reason, ...shown } = record
  const code = isLost ? 'export.no_room' : reason
  return {
    ...shown,
    ...(progress && {
      state: progress.isRunning ? ('running' as const) : ('waiting' as const),
      done: progress.done,
      total: progress.total,
    }),
    ...(isLost && { state: 'failed' as const }),
    message: code === null ? null : translate(locale, `errors:${code}`),
    url: null,
  }
}
