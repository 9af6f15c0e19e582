import type { Logger } from 'pino'
import { z } from 'zod'
import { type Import, type ImportOptions, importChange, maxOpenImports } from '#shared/contract/imports'
import { toInstant } from '#shared/domain/dates'
import { DomainError, notFound } from '#shared/domain/errors'
import type { Language } from '#shared/domain/locales'
import { translate } from '#shared/i18n/translations'
import type { Clock } from '#main/clock'
import type { BlobStore, ReceivedFile } from '#main/files/blob-store'
import { findFirstAdmin } from '#main/store/records/organizations/member-directory'
import { ThreadTooSlow } from '#main/processes/thread'
import type { Store } from '#main/store/core/store'
import { runWithStore } from '#main/store/core/thread-store'
import { findUser } from '#main/store/records/users/user-reader'
import type { DeskActs, DeskJob, DeskKind, DeskOutcome, DeskWork } from '../desks/desk'
import { JobDesk } from '../desks/job-desk'
import { type ImportRecord, type LineKind, importRecord, linesName, readLines, tableName } from './import-record'
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
  readonly id: string
  readonly organization_id: number
  readonly file_name: string
  readonly file: ReceivedFile
}

/** What an instance imports with. */
export interface ImportDeskParts {
  readonly data_folder: string
  readonly store: Store
  readonly blobs: Pick<BlobStore, 'shelf'>
  readonly clock: Clock
  readonly log: Logger
}

const reportedProblem = z.object({
  row: z.int(),
  column: z.string().nullable(),
  reason: z.object({ key: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() }),
})

/** The largest file is looked through once before its first batch: a slow machine takes a minute. */
const silentMs = 180_000
const keptMs = 7 * 24 * 60 * 60 * 1000
const unfinished: ReadonlySet<Import['state']> = new Set(['reading', 'ready', 'unreadable', 'importing', 'interrupted'])

/** Reads and imports uploaded files one after another, in the background. The state of each outlives the process. */
export class ImportDesk {
  readonly #desk: JobDesk<ImportRecord>

  constructor(readonly parts: ImportDeskParts) {
    const kind: DeskKind<ImportRecord> = {
      name: 'imports',
      given: tableName,
      earlier: 'import.json',
      keptMs,
      parse: (value) => importRecord.parse(value),
      signalOf: ({ organization_id }) => ({ topic: 'imports', organization_id }),
      resume,
      work: (record, work) => this.#pass(record, work),
      fail: (record) => ({
        ...record,
        state: record.state === 'reading' ? 'unreadable' : 'interrupted',
        reasons: [{ key: 'errors:import.failed' }],
      }),
    }
    this.#desk = new JobDesk({ ...parts, kind })
  }

  /** Resumes an earlier process's work: files are read again; an interrupted import waits for a person to continue it, or another server does. */
  begin(): Promise<void> {
    return this.#desk.begin()
  }

  /** The imports of an organization, newest first. */
  async list(organization_id: number, locale: Language): Promise<Import[]> {
    const jobs = (await this.#desk.list()).filter(({ record }) => record.organization_id === organization_id)
    return jobs.map((job) => show(job, locale))
  }

  /** Whether there is such an import. */
  async has(key: ImportKey): Promise<boolean> {
    return isOf(key, await this.#desk.find(key.id))
  }

  /** Throws `not_found`. */
  async show(key: ImportKey, locale: Language): Promise<Import> {
    return show(own(key, await this.#desk.find(key.id)), locale)
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
    const { record } = own(key, await this.#desk.find(key.id))
    const { lines, next } = await readLines(await this.#desk.findFile(record.id, linesName(kind)), after)
    return { lines: lines.map((one) => line.parse(one)), next }
  }

  /** Keeps an uploaded file and begins to read it; one that is here already stays as it is. */
  async add({ id, organization_id, file_name, file }: NewImport, actor: ImportActor): Promise<void> {
    const { clock } = this.parts
    const { user_id } = actor
    const record: ImportRecord = {
      id,
      organization_id,
      user_id,
      file_name,
      bytes: file.bytes,
      created_at: toInstant(clock.now()),
      actor,
      state: 'reading',
      options: { update: false },
      reasons: [],
      headers: [],
      table: null,
      report: null,
      started_at: null,
      finished_at: null,
    }
    const check = async (acts: DeskActs<ImportRecord>) => assertRoomAmong(await acts.list(), organization_id)
    await this.#desk.add(record, { check, file: { name: tableName, received: file } })
  }

  /** Reads a file again with other options. Throws `not_found`, and `not_possible` once it is being imported. */
  async change(key: ImportKey, options: ImportOptions, actor: ImportActor): Promise<void> {
    await this.#desk.act(async (acts) => {
      const { record } = own(key, await acts.find(key.id))
      const { state } = record
      if (state === 'importing' || state === 'finished') throw new DomainError({ kind: 'not_possible', code: 'import.begun' })
      await acts.start({ ...record, actor, state: 'reading', options: { update: false, ...options } })
    })
  }

  /** Imports a file; once, however often it is asked for. Throws `not_found`, and `not_possible` while it is not read. */
  async run(key: ImportKey, actor: ImportActor): Promise<void> {
    await this.#desk.act(async (acts) => {
      const { record } = own(key, await acts.find(key.id))
      if (record.state === 'importing' || record.state === 'finished') return
      const isRead = record.table !== null && (record.state === 'ready' || record.state === 'interrupted')
      if (!isRead) throw new DomainError({ kind: 'not_possible', code: 'import.not_ready' })
      const started_at = record.started_at ?? toInstant(this.parts.clock.now())
      await acts.start({ ...record, actor, state: 'importing', reasons: [], started_at })
    })
  }

  /** Stops the work on a file and removes it; imported expenses stay. Throws `not_found`. */
  async remove(key: ImportKey): Promise<void> {
    await this.#desk.act(async (acts) => {
      await acts.remove(own(key, await acts.find(key.id)).record)
    })
  }

  /** Ends after the batch that is being written. */
  close(): Promise<void> {
    return this.#desk.close()
  }

  async #pass(record: ImportRecord, { folder, signal, onProgress, held }: DeskWork): Promise<DeskOutcome<ImportRecord>> {
    const { data_folder, store, clock } = this.parts
    const { organization_id, options, user_id, actor = { user_id, request_id: null } } = record
    const isDryRun = record.state === 'reading'
    const places = { data_folder, database_url: store.database_url, folder, held }
    const task = { ...places, organization_id, ...actor, options, isDryRun, currency: await this.#currencyOf(record) }
    const watch = { signal, silentMs, onProgress: (done: number) => onProgress({ done, total: null }) }
    const outcome = await runWithStore<PassOutcome, number>(store, { name: 'pass', task }, watch).catch(slowPass)
    const next = afterPass(record, outcome)
    const written = (['problems', 'changes'] as const).map(linesName)
    if (next.state !== 'finished') return { record: next, written }
    return { record: { ...next, finished_at: toInstant(clock.now()) }, written, unneeded: [tableName] }
  }

  /** As on the command line: the default currency of the organization's first admin. */
  async #currencyOf({ options, organization_id, user_id }: ImportRecord): Promise<string> {
    if (options.currency !== undefined) return options.currency
    const { reader } = this.parts.store
    const admin = (await findFirstAdmin(reader, organization_id)) ?? (await findUser(reader, user_id))
    return admin?.default_currency ?? 'BRL'
  }
}

function isOf({ organization_id }: ImportKey, job: DeskJob<ImportRecord> | undefined): job is DeskJob<ImportRecord> {
  return job?.record.organization_id === organization_id
}

function own(key: ImportKey, job: DeskJob<ImportRecord> | undefined): DeskJob<ImportRecord> {
  if (!isOf(key, job)) throw notFound()
  return job
}

function assertRoomAmong(jobs: ReadonlyArray<DeskJob<ImportRecord>>, organization_id: number): void {
  const waiting = jobs.filter(({ record }) => record.organization_id === organization_id && unfinished.has(record.state))
  if (waiting.length >= maxOpenImports)
    throw new DomainError({ kind: 'not_possible', code: 'import.too_many', params: { limit: maxOpenImports } })
}

function show({ record: { reasons, actor: _actor, ...record }, progress }: DeskJob<ImportRecord>, locale: Language): Import {
  const message = reasons
    .map(({ key, params, column }) => `${column == null ? '' : `${column}: `}${translate(locale, key, params)}`)
    .join(' ')
  return { ...record, done: progress?.done ?? 0, message: message || null }
}

/** After a restart a file is read again, but a person says whether it is imported further. */
function resume(record: ImportRecord): 'start' | ImportRecord | undefined {
  if (record.state === 'reading') return 'start'
  return record.state === 'importing' ? { ...record, state: 'interrupted' } : undefined
}

function slowPass(error: unknown): PassOutcome {
  if (!(error instanceof ThreadTooSlow)) throw error
  return { kind: 'failed', headers: [], reasons: [{ key: 'errors:import.takes_too_long' }] }
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
