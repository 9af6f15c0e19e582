import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportField, type ImportOptions, type ImportSummary, type ImportedTable, importFields } from '#shared/contract/imports'
import { DomainError } from '#shared/domain/errors'
import { isOutOfRoom } from '#shared/domain/out-of-room'
import type { StorePlace } from '#main/store/core/thread-store'
import { type HeldJob, assertJobHeld } from '#main/store/queues/jobs'
import { type ColumnMap, type MapFile, toTagSource } from '#main/tables/column-map'
import { type ImportPlan, planImport } from '#main/tables/plan-import'
import { readTable } from '#main/tables/read-table'
import { UnreadableTable } from '#main/tables/table-reason'
import { type TableSource, fileSource } from '#main/tables/table-source'
import type { Transacting } from '../expenses/import-expenses'
import { importTable } from '../expenses/import-table'
import { type ImportRecord, linesName, tableName } from './import-record'

const bufferLength = 64 * 1024

/** Writes values as JSON, one a line, to a new file, without ever holding many. */
class LineWriter {
  readonly #file: number
  #waiting = ''

  constructor(path: string) {
    this.#file = openSync(path, 'w', 0o600)
  }

  write(value: unknown): void {
    this.#waiting += `${JSON.stringify(value)}\n`
    if (this.#waiting.length >= bufferLength) this.#flush()
  }

  close(): void {
    this.#flush()
    closeSync(this.#file)
  }

  #flush(): void {
    const bytes = Buffer.from(this.#waiting)
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at)
    this.#waiting = ''
  }
}

/** One reading of a whole file: to see what would become of it, or to import it. */
export interface PassTask extends StorePlace {
  /** Where the table is, and where the lines of the pass go. */
  readonly folder: string
  /** What each batch asks for before it is written: the import may have been removed, or taken by another server. */
  readonly held: HeldJob
  readonly organization_id: number
  readonly user_id: number
  readonly request_id: string | null
  /** Of rows that state none. */
  readonly currency: string
  readonly options: ImportOptions
  readonly isDryRun: boolean
}

/** The result of a pass; `failed` leaves what was stored before. */
export type PassOutcome =
  | { readonly kind: 'done'; readonly table: ImportedTable; readonly report: ImportSummary }
  | { readonly kind: 'failed'; readonly headers: string[]; readonly reasons: ImportRecord['reasons'] }

const firstRows = 10

/** Reads a file from its beginning to its end and imports it, or with `isDryRun` only says what would be imported. */
export async function runPass(store: Transacting, task: PassTask, onProgress: (done: number) => void): Promise<PassOutcome> {
  const source = fileSource(join(task.folder, tableName))
  const mapFile = toMapFile(task.options)
  const lines = {
    problem: new LineWriter(join(task.folder, linesName('problems'))),
    change: new LineWriter(join(task.folder, linesName('changes'))),
  }
  try {
    const plan = planImport(source, mapFile)
    const { organization_id, user_id, request_id, currency, options, isDryRun } = task
    const actor = { user_id, origin: 'import', request_id, if_match: null }
    const report = await importTable(heldBy(store, task), actor, {
      plan,
      organization_id,
      currency,
      isDryRun,
      onProgress,
      isUpdate: options.update ?? false,
      onLine: (line) => (line.kind === 'change' ? lines.change.write(line.change) : lines.problem.write(line.problem)),
    })
    return { kind: 'done', table: describe(plan, currency), report }
  } catch (error) {
    return { kind: 'failed', headers: headersOf(source, mapFile), reasons: toReasons(error) }
  } finally {
    lines.problem.close()
    lines.change.close()
  }
}

/** Writes a batch only while this work on the import is wanted. */
function heldBy(store: Transacting, { held, isDryRun }: PassTask): Transacting {
  if (isDryRun) return store
  return {
    isFile: store.isFile,
    transact: (actor, work) =>
      store.transact(actor, async (tx) => {
        await assertJobHeld(tx, held)
        return work(tx)
      }),
  }
}

/** What a person chose, as a map file would say it. */
function toMapFile({ columns = {}, date_order, decimal }: ImportOptions): MapFile {
  const { tags, description, ...single } = columns
  return {
    columns: {
      ...single,
      tags: tags === null ? null : toTagSource(tags),
      description: typeof description === 'string' ? [description] : description,
    },
    date_order,
    decimal,
  }
}

/** What is wrong with a file or an import as a whole. Throws what nobody foresaw. */
function toReasons(error: unknown): ImportRecord['reasons'] {
  if (error instanceof UnreadableTable) return error.reasons.flatMap(toScreenReasons)
  if (isOutOfRoom(error)) return [{ key: 'errors:import.no_room' }]
  if (!(error instanceof DomainError)) throw error
  const { refusal } = error
  return [refusal.kind === 'not_possible' ? { key: `errors:${refusal.code}`, params: refusal.params } : { key: `errors:${refusal.kind}` }]
}

/** The same with what to do on the screen, where there is no map file. */
function toScreenReasons({ code, params, column }: UnreadableTable['reasons'][number]): ImportRecord['reasons'] {
  if (code === 'no_rows') return [{ key: 'import:reasons.no_rows' }]
  if (code === 'missing_columns')
    return String(params?.fields)
      .split(', ')
      .map((field) => ({ key: `import:onScreen.missing_${field}` }))
  return [{ key: `import:onScreen.${code}`, params: { ...params, column: column ?? '' } }]
}

function headersOf(source: TableSource, mapFile: MapFile): string[] {
  try {
    return readTable(source, mapFile).headers
  } catch {
    return []
  }
}

function describe({ table, map, detected, rows }: ImportPlan, currency: string): ImportedTable {
  const first_rows: ImportedTable['first_rows'] = []
  for (const entry of rows()) {
    if (first_rows.length === firstRows) break
    if (entry.kind !== 'row') continue
    const { line, receiver_name, occurred_at, amount, tag_names, description } = entry
    first_rows.push({
      row: line,
      receiver: receiver_name,
      occurred_at,
      amount,
      tags: tag_names,
      description,
      currency: entry.currency ?? currency,
    })
  }
  const columns: Partial<Record<ImportField, string>> = {}
  for (const field of importFields) {
    const text = wordSource(map.columns[field])
    if (text !== undefined) columns[field] = text
  }
  const { encoding, delimiter } = table.format
  const { date_order, decimal } = detected
  return { headers: table.headers, columns, encoding, delimiter, date_order, decimal, first_rows }
}

function wordSource(source: ColumnMap['columns'][ImportField]): string | undefined {
  if (source === undefined || typeof source === 'string') return source
  if (Array.isArray(source)) return source.join(' · ')
  return 'column' in source ? source.column : `"${source.value}"`
}
