import { createHash } from 'node:crypto'
import { expenseListOptions } from '#shared/contract/expenses'
import { parseFilter } from '#shared/contract/filters'
import type { ExportBody, LeftOut } from '#shared/contract/instance/exports'
import { DomainError } from '#shared/domain/errors'
import type { OtherList } from '#shared/domain/exports/exported-lists'
import type { Layout } from '#shared/domain/exports/layout'
import type { Language } from '#shared/domain/locales'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import { translate } from '#shared/i18n/translations'
import { systemClock } from '#main/clock'
import { writeDurably } from '#main/files/durable'
import { BlobMissing, type BlobStore } from '#main/files/blob-store'
import { openBlobStore } from '#main/files/open-blob-store'
import type { Reader, Store } from '#main/store/core/store'
import type { StorePlace } from '#main/store/core/thread-store'
import { findLastActivityId } from '#main/store/records/conversations/activity-reader'
import { findHandover } from '#main/store/records/handovers/handovers'
import { findUser } from '#main/store/records/users/user-reader'
import { type HandedRow, noted, readCorrection } from '../handovers/handover-rows'
import type { HandoverTask } from '../handovers/handover-task'
import { countWritten, writtenScope } from './booked-expenses'
import { type ExportScope, narrowed, payerIs, readExportRows } from './export-rows'
import { formats } from './formats'
import type { FileContext } from './formats/format'
import { assertListVisible, countList, listScopeOf, readList, tableFormatOf } from './lists/read-list'
import { writeList } from './lists/write-list'

/** One export: for whom, what, and where the file goes. `place`: where files are kept, if not in the data folder. */
export interface ExportTask extends StorePlace {
  readonly place: BlobStore['place']
  readonly path: string
  readonly user_id: number
  readonly locale: Language
  readonly made_at: Date
  readonly asked: ExportBody
  readonly handover: HandoverTask | null
  readonly layout: Layout | null
}

/** How many expenses are written, of how many. */
export interface ExportProgress {
  readonly done: number
  readonly total: number
}

/** A file that is whole. */
export interface WrittenExport extends ExportProgress {
  /** Of a handover: the last entry of the audit trail at the moment of which the file is. */
  readonly trail_end?: number | null
  readonly left_out: LeftOut
  readonly bytes: number
  readonly sha256: string
}

/** Which expenses were asked for, booked or not. Throws {@link DomainError} where the filter cannot be read. */
export function scopeOf({ q, ids, except_ids, format, organization_id }: ExportBody, user_id: number): ExportScope {
  const parsed = parseFilter(expenseListOptions, q ?? {})
  if (parsed.kind === 'invalid') throw new DomainError({ kind: 'invalid', fields: { q: parsed.errors } })
  const filter = narrowed(parsed.filter, { ids, except_ids })
  const conditions = organization_id === undefined ? filter.conditions : [...filter.conditions, payerIs(organization_id)]
  return { user_id, filter: { ...filter, conditions }, withReceipts: formats[format].withReceipts }
}

/** Throws {@link DomainError} where what is asked for cannot be read, or may not be. */
export async function assertExportable(reader: Reader, { list = 'expenses', ...asked }: ExportBody, user_id: number): Promise<void> {
  if (list === 'expenses') scopeOf(asked, user_id)
  else await assertListVisible(reader, listScopeOf(list, asked, user_id))
}

/** The text that says to a person why an export was not written. */
function codeOf(error: unknown): string {
  if (error instanceof DomainError && error.refusal.kind === 'not_possible') return error.refusal.code
  return isOutOfRoom(error) ? 'export.no_room' : 'export.failed'
}

/** What comes of an export. `failed`: what the log says of it, and the code of the text that says it to a person. */
export type ExportOutcome =
  | { readonly kind: 'written'; readonly written: WrittenExport }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string }

/** What is exported, and who follows it. */
interface ExportRun {
  readonly task: ExportTask
  readonly onProgress: (progress: ExportProgress) => void
}

/** Progress is reported after so many records. */
const reportedEvery = 20

/** Writes an export, all of it from one moment. The file has its name only once it is whole and on the disk; what a fault leaves is removed. */
export async function runExport(
  store: Pick<Store, 'snapshot'>,
  task: ExportTask,
  onProgress: ExportRun['onProgress'],
): Promise<ExportOutcome> {
  const { data_folder, place, asked } = task
  const { list = 'expenses' } = asked
  const run = { task, onProgress }
  const blobs = await openBlobStore(data_folder, { place, clock: systemClock })
  try {
    const written = await store.snapshot((reader) =>
      list === 'expenses' ? exportExpenses(reader, blobs, run) : exportList(reader, list, run),
    )
    return { kind: 'written', written }
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: codeOf(error) }
  } finally {
    blobs.close()
  }
}

async function exportList(reader: Reader, list: OtherList, { task, onProgress }: ExportRun): Promise<WrittenExport> {
  const { asked, user_id, path, locale } = task
  const scope = listScopeOf(list, asked, user_id)
  await assertListVisible(reader, scope)
  const { progress, onDone } = progressOf(await countList(reader, scope), onProgress)
  const context = { list, format: tableFormatOf(asked.format), locale, saysEmpty: true, decimal: asked.decimal }
  return { ...(await writeFileWhole(path, writeList(counted(readList(reader, scope), onDone), context))), ...progress, left_out: [] }
}

/** How far an export is; `onDone` notes a record that is written. */
function progressOf(total: number, onProgress: ExportRun['onProgress']) {
  const progress = { done: 0, total }
  const onDone = () => {
    progress.done += 1
    if (progress.done % reportedEvery === 0) onProgress({ ...progress })
  }
  onProgress({ ...progress })
  return { progress, onDone }
}

async function exportExpenses(reader: Reader, blobs: Pick<BlobStore, 'withFile'>, { task, onProgress }: ExportRun): Promise<WrittenExport> {
  const { asked, user_id, path, handover } = task
  const asks = { scope: scopeOf(asked, user_id), format: asked.format, handover }
  const scope = writtenScope(asks)
  const corrected = handover?.corrects
    ? (onExpense: (row: HandedRow) => void) =>
        readCorrection(reader, handover, { ...scope, locale: task.locale, format: asked.format, onExpense })
    : undefined
  const { count: total, left_out } = corrected ? { count: await countOf(corrected), left_out: [] } : await countWritten(reader, asks)
  const user = await findUser(reader, user_id)
  if (handover && total === 0) throw new DomainError({ kind: 'not_possible', code: 'export.nothing_to_hand_over' })
  const format = formats[asked.format]
  const { progress, onDone } = progressOf(total, onProgress)
  const context: FileContext = {
    title: await titleOf(reader, task),
    locale: task.locale,
    total,
    made_at: task.made_at,
    made_by: user ? `${user.first_name} ${user.last_name}`.trim() : '',
    layout: task.layout,
    saysEmpty: true,
    decimal: asked.decimal,
    onDone,
    withFile: lenderOf(blobs),
  }
  const handed: HandedRow[] = []
  const count = format.countsItself ? undefined : onDone
  const noteCorrected = (row: HandedRow) => {
    handed.push(row)
    count?.()
  }
  const read = readExportRows(reader, scope)
  // What a correction takes back and books again is one expense.
  const rows = corrected ? corrected(noteCorrected) : counted(handover ? noted(read, handed, handover) : read, count)
  const written = await writeFileWhole(path, format.write(rows, context))
  if (handover) await writeDurably(handedPathOf(path), Buffer.from(handed.map((row) => `${JSON.stringify(row)}\n`).join('')))
  return { ...progress, ...written, left_out, ...(handover && { trail_end: await findLastActivityId(reader) }) }
}

/** What was asked for, in the caller's words or by its filters; null: everything. */
async function titleOf(reader: Reader, { asked, handover, locale }: ExportTask): Promise<string | null> {
  const words = asked.title ?? askedFor(asked, locale)
  if (!handover?.corrects) return words
  const corrected = await findHandover(reader, { organization_id: handover.organization_id, uid: handover.corrects })
  return translate(locale, 'handovers:correctionOf', { title: words ?? corrected?.title ?? corrected?.created_at.slice(0, 10) ?? '' })
}

function askedFor({ q = {}, ids, except_ids }: ExportBody, locale: Language): string | null {
  const chosen = (key: string, named: readonly number[] | undefined) =>
    named ? [translate(locale, `exports:file.${key}`, { count: named.length })] : []
  const filters = Object.entries(q).map(([name, value]) => `${name}: ${inWords(value)}`)
  return [...filters, ...chosen('chosen', ids), ...chosen('allBut', except_ids)].join(' · ') || null
}

function inWords(value: unknown): string {
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, part]) => `${name} ${inWords(part)}`)
    .join(', ')
}

/** What gives an export the files of receipts. */
export function lenderOf(blobs: Pick<BlobStore, 'withFile'>): FileContext['withFile'] {
  return async (sha256, work) => {
    try {
      return await blobs.withFile(sha256, ({ path }) => work(path))
    } catch (error) {
      if (error instanceof BlobMissing) return undefined
      throw error
    }
  }
}

/** Next to a file that is handed over: its rows, a line each. */
export function handedPathOf(path: string): string {
  return `${path}.rows`
}

async function countOf(corrected: (onExpense: () => void) => AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _row of corrected(() => (count += 1)));
  return count
}

async function* counted<R>(rows: AsyncIterable<R>, onDone: (() => void) | undefined): AsyncGenerator<R> {
  for await (const row of rows) {
    yield row
    onDone?.()
  }
}

/** Writes chunks to a file that has its name only once it is whole and on the disk. */
export async function writeFileWhole(path: string, chunks: AsyncIterable<string | Uint8Array>) {
  const hash = createHash('sha256')
  let bytes = 0
  const hashed = async function* () {
    for await (const chunk of chunks) {
      const buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      hash.update(buffer)
      bytes += buffer.length
      yield buffer
    }
  }
  await writeDurably(path, hashed())
  return { bytes, sha256: hash.digest('hex') }
}
