import type { Logger } from 'pino'
import { z } from 'zod'
import { type Import, type ImportOptions, importChange, maxOpenImports } from '#shared/contract/imports'
import { toInstant } from '#shared/domain/dates'
import { DomainError, notFound } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { Clock } from '#main/clock'
import type { ReceivedFile } from '#main/files/blob-store'
import { findFirstAdmin } from '#main/store/records/organizations/member-directory'
import type { Store } from '#main/store/core/store'
import { findUser } from '#main/store/records/users/user-reader'
import { ImportFiles, type ImportRecord, type LineKind } from './import-files'
import { runPassApart } from './run-pass-apart'
import type { PassOutcome } from './run-pass'

/** Which import of which organization. */
export interface ImportKey {
  readonly organization_id: number
  readonly id: string
}

/** Who has a file read or imported. */
export interface ImportActor {
  readonly user_id: number
  readonly request_id: string | null
}

/** A file that was uploaded. */
export interface NewImport {
  readonly organization_id: number
  readonly file_name: string
  readonly file: ReceivedFile
}

/** What an instance imports with. */
export interface ImportDeskParts {
  readonly data_folder: string
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
}

const reportedProblem = z.object({
  row: z.int(),
  column: z.string().nullable(),
  reason: z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() }),
})

/** A pass that waits or runs. */
interface Job {
  done: number
  readonly stop: AbortController
  ended: Promise<void>
}

const keptMs = 7 * 24 * 60 * 60 * 1000
const unfinished: ReadonlySet<Import['state']> = new Set(['reading', 'ready', 'unreadable', 'importing', 'interrupted'])

/** Reads and imports uploaded files one after another, in the background. The state of each is on the disk. */
export class ImportDesk {
  readonly #files: ImportFiles
  readonly #jobs = new Map<string, Job>()
  #lane: Promise<unknown> = Promise.resolve()
  #acts: Promise<unknown> = Promise.resolve()
  #isClosed = false

  constructor(readonly parts: ImportDeskParts) {
    this.#files = new ImportFiles(parts.data_folder)
  }

  /** Resumes an earlier process's work: files are read again; an interrupted import waits for a person to continue it. */
  async begin(): Promise<void> {
    const { clock } = this.parts
    await this.#files.sweep(new Date(clock.now().getTime() - keptMs))
    for (const record of await this.#files.list()) {
      if (record.state === 'importing') await this.#files.write({ ...record, state: 'interrupted' })
      if (record.state === 'reading') this.#start(record, { user_id: record.user_id, request_id: null })
    }
  }

  /** The imports of an organization, newest first. */
  async list(organization_id: number, locale: Language): Promise<Import[]> {
    const records = (await this.#files.list()).filter((record) => record.organization_id === organization_id)
    return records.map((record) => this.#show(record, locale))
  }

  /** Whether there is such an import. */
  async has(key: ImportKey): Promise<boolean> {
    return (await this.#find(key)) !== undefined
  }

  /** Throws `not_found`. */
  async show(key: ImportKey, locale: Language): Promise<Import> {
    return this.#show(await this.#get(key), locale)
  }

  /** A page of the rows that are not imported, from where the page before ended. Throws `not_found`. */
  readProblems(key: ImportKey, after = 0) {
    return this.#readLines(key, { kind: 'problems', line: reportedProblem, after })
  }

  /** The same of the rows that differ from their expenses. */
  readChanges(key: ImportKey, after = 0) {
    return this.#readLines(key, { kind: 'changes', line: importChange, after })
  }

  async #readLines<T>(key: ImportKey, { kind, line, after }: { kind: LineKind; line: z.ZodType<T>; after: number }) {
    const { id } = await this.#get(key)
    const { lines, next } = await this.#files.readLines(id, kind, after)
    return { lines: lines.map((one) => line.parse(one)), next }
  }

  /** Refuses another file where too many wait. */
  async assertRoom(organization_id: number): Promise<void> {
    const waiting = (await this.#files.list()).filter(
      (record) => record.organization_id === organization_id && unfinished.has(record.state),
    )
    if (waiting.length >= maxOpenImports)
      throw new DomainError({ kind: 'not_possible', code: 'import.too_many', params: { limit: maxOpenImports } })
  }

  /** Keeps an uploaded file and begins to read it. */
  async add({ organization_id, file_name, file }: NewImport, actor: ImportActor): Promise<string> {
    const { clock } = this.parts
    const record: ImportRecord = {
      ...{
        id: clock.uid(),
        organization_id,
        user_id: actor.user_id,
        file_name,
        bytes: file.bytes,
        created_at: toInstant(clock.now()),
      },
      ...{
        state: 'reading',
        options: { update: false },
        reasons: [],
        headers: [],
        table: null,
        report: null,
        started_at: null,
        finished_at: null,
      },
    }
    await this.#act(async () => {
      await this.assertRoom(organization_id)
      await this.#files.add(record, file)
      this.#start(record, actor)
    })
    return record.id
  }

  /** Reads a file again with other options. Throws `not_found`, and `not_possible` once it is being imported. */
  async change(key: ImportKey, options: ImportOptions, actor: ImportActor): Promise<void> {
    await this.#act(async () => {
      const { state } = await this.#get(key)
      if (state === 'importing' || state === 'finished') throw new DomainError({ kind: 'not_possible', code: 'import.begun' })
      await this.#stop(key.id)
      const record: ImportRecord = { ...(await this.#get(key)), state: 'reading', options: { update: false, ...options } }
      await this.#files.write(record)
      this.#start(record, actor)
    })
  }

  /** Imports a file; once, however often it is asked for. Throws `not_found`, and `not_possible` while it is not read. */
  async run(key: ImportKey, actor: ImportActor): Promise<void> {
    await this.#act(async () => {
      const found = await this.#get(key)
      if (found.state === 'importing' || found.state === 'finished') return
      const isRead = found.table !== null && (found.state === 'ready' || found.state === 'interrupted')
      if (!isRead) throw new DomainError({ kind: 'not_possible', code: 'import.not_ready' })
      const record: ImportRecord = {
        ...found,
        state: 'importing',
        reasons: [],
        started_at: found.started_at ?? toInstant(this.parts.clock.now()),
      }
      await this.#files.write(record)
      this.#start(record, actor)
    })
  }

  /** Stops the work on a file and removes it; imported expenses stay. Throws `not_found`. */
  async remove(key: ImportKey): Promise<void> {
    await this.#act(async () => {
      const { id } = await this.#get(key)
      await this.#stop(id)
      await this.#files.remove(id)
      this.#signal(key)
    })
  }

  /** Ends after the batch that is being written. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#jobs.keys()].map((id) => this.#stop(id)))
    await this.#lane
  }

  /** One act at a time: each decides by what the one before left. */
  #act<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#acts.then(work)
    this.#acts = turn.catch(() => undefined)
    return turn
  }

  #start(record: ImportRecord, actor: ImportActor): void {
    if (this.#isClosed) return
    const stop = new AbortController()
    const job: Job = { done: 0, stop, ended: Promise.resolve() }
    this.#jobs.set(record.id, job)
    this.#signal(record)
    job.ended = this.#lane.then(async () => {
      await this.#pass(record, actor, job).catch((err: unknown) => this.#fail(record, err, job))
      this.#jobs.delete(record.id)
      this.#signal(record)
    })
    this.#lane = job.ended
  }

  async #pass(record: ImportRecord, actor: ImportActor, job: Job): Promise<void> {
    const { data_folder, store, clock } = this.parts
    const { id, organization_id, options } = record
    job.stop.signal.throwIfAborted()
    const isDryRun = record.state === 'reading'
    const { database_url } = store
    const task = { data_folder, database_url, id, organization_id, ...actor, options, isDryRun, currency: await this.#currencyOf(record) }
    const onProgress = (done: number) => {
      job.done = done
      this.#signal(record)
    }
    const outcome = await runPassApart(store, task, { onProgress, signal: job.stop.signal })
    const next = afterPass(record, outcome)
    const isFinished = next.state === 'finished'
    await this.#files.write(isFinished ? { ...next, finished_at: toInstant(clock.now()) } : next)
    if (isFinished) await this.#files.forgetTable(id)
  }

  /** A stop is no failure: who stopped it says what becomes of the file, or the next start does. */
  async #fail(record: ImportRecord, err: unknown, { stop }: Job): Promise<void> {
    if (stop.signal.aborted) return
    const { log } = this.parts
    log.error({ err, import_id: record.id }, 'an import failed')
    const state = record.state === 'reading' ? 'unreadable' : 'interrupted'
    const failed: ImportRecord = { ...record, state, reasons: [{ key: 'errors:import.failed' }] }
    await this.#files
      .write(failed)
      .catch((error: unknown) => log.error({ err: error, import_id: record.id }, 'and could not be noted'))
  }

  #signal({ organization_id }: Pick<ImportRecord, 'organization_id'>): void {
    this.parts.store.signals.emit({ topic: 'imports', organization_id })
  }

  async #stop(id: string): Promise<void> {
    const job = this.#jobs.get(id)
    job?.stop.abort()
    await job?.ended
  }

  /** As on the command line: the default currency of the organization's first admin. */
  async #currencyOf({ options, organization_id, user_id }: ImportRecord): Promise<string> {
    if (options.currency !== undefined) return options.currency
    const { reader } = this.parts.store
    const admin = (await findFirstAdmin(reader, organization_id)) ?? (await findUser(reader, user_id))
    return admin?.default_currency ?? 'BRL'
  }

  async #find({ organization_id, id }: ImportKey): Promise<ImportRecord | undefined> {
    const record = await this.#files.find(id)
    return record?.organization_id === organization_id ? record : undefined
  }

  async #get(key: ImportKey): Promise<ImportRecord> {
    const record = await this.#find(key)
    if (!record) throw notFound()
    return record
  }

  #show({ reasons, ...record }: ImportRecord, locale: Language): Import {
    const message = reasons
      .map(({ key, params, column }) => `${column == null ? '' : `${column}: `}${translate(locale, key, params)}`)
      .join(' ')
    return { ...record, done: this.#jobs.get(record.id)?.done ?? 0, message: message || null }
  }
}

/** What is known of an import after a pass. */
function afterPass(record: ImportRecord, outcome: PassOutcome): ImportRecord {
  const isPreview = record.state === 'reading'
  if (outcome.kind === 'done') {
    const { table, report } = outcome
    return { ...record, state: isPreview ? 'ready' : 'finished', reasons: [], headers: table.headers, table, report }
  }
  const { headers, reasons } = outcome
  return isPreview
    ? { ...record, state: 'unreadable', reasons, headers, table: null, report: null }
    : { ...record, state: 'interrupted', reasons }
}
