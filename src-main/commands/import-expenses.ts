import { readFile } from 'node:fs/promises'
import { Command } from 'commander'
import { fromMinor, sumByCurrency } from '#shared/domain/money'
import type { Store } from '../store/store'
import { type ColumnMap, type MapFile, guessColumnMap, mapFileSchema } from '../tables/column-map'
import { detectValues } from '../tables/detect-values'
import { type ImportRow, toImportRows } from '../tables/import-rows'
import { type Table, readTable, sampleRows } from '../tables/read-table'
import { findEncoding } from '../tables/table-format'
import { type ImportOutcome, importExpenses } from '../use-cases/expenses/import-expenses'
import {
  CallRefused,
  type DataOption,
  WorkFailed,
  cliActor,
  dataCommand,
  existingFolderOf,
  getAdmin,
  getOrganization,
  assertNoReplica,
  getUserByEmail,
  print,
  tell,
  toCurrency,
  toEmail,
  toId,
  withStoreOf,
} from './command-context'
import { wordError } from './wording'

interface ImportOptions extends DataOption {
  readonly organization: number
  readonly map?: string
  readonly encoding?: string
  readonly currency?: string
  readonly as?: string
  readonly dryRun?: true
}

/** A row that was not imported; `row` is its line in the file, `column` null where the whole line is meant. */
interface Problem {
  readonly row: number
  readonly column: string | null
  readonly reason: string
}

const rowsBetweenReports = 2_000

/** `outlay import expenses`: a table's rows as expenses; safe to repeat. */
export function importCommand(): Command {
  const expenses = dataCommand('expenses', 'Read expenses from a CSV file; rows imported before are skipped')
    .argument('<file>', 'the file')
    .requiredOption('--organization <id>', 'the organization that pays', toId)
    .option('--map <file>', 'JSON file that says what the columns are')
    .option('--encoding <name>', 'encoding of the file, when it is not to be detected')
    .option('--currency <code>', 'currency of rows that state none', toCurrency)
    .option('--as <email>', 'on whose behalf; else the first admin of the organization', toEmail)
    .option('--dry-run', 'tell what would be imported and keep nothing')
    .action(runImport)
  return new Command('import').description('Read records from a file').addCommand(expenses)
}

async function runImport(file: string, options: ImportOptions): Promise<void> {
  const folder = existingFolderOf(options)
  const mapFile = await readMapFile(options)
  const table = readTable(await readInput(file), mapFile)
  const map = toColumnMap(table, mapFile)
  const detected = detectValues(table, map)
  if (detected.kind === 'undecided')
    throw new WorkFailed(detected.problems.map(({ column, reason }) => `${column ?? 'The file'}: ${reason}`).join('; '))
  const problems: Problem[] = []
  const rows = function* (): Generator<ImportRow> {
    for (const entry of toImportRows(table, map, detected)) {
      if (entry.kind === 'row') yield entry
      else problems.push({ row: entry.line, column: entry.column, reason: entry.reason })
    }
  }
  const tally = await withStoreOf(folder, (store) => importInto(store, options, { rows: rows(), map, problems }))
  problems.sort((a, b) => a.row - b.row)
  print({ rows: table.entries.length, ...tally.counts, problems, total: tally.total })
}

interface Source {
  readonly rows: Iterable<ImportRow>
  readonly map: ColumnMap
  readonly problems: Problem[]
}

async function importInto(store: Store, options: ImportOptions, { rows, map, problems }: Source) {
  const { organization: organization_id } = options
  await assertNoReplica(store)
  await getOrganization(store.reader, organization_id)
  const admin = await getAdmin(store.reader, organization_id)
  const user = options.as === undefined ? admin : await getUserByEmail(store.reader, options.as)
  const currency = options.currency ?? admin.default_currency
  const counts = { imported: 0, skipped: 0 }
  const amounts: Array<Extract<ImportOutcome, { kind: 'imported' }>> = []
  const request = { rows, organization_id, currency, isDryRun: options.dryRun }
  let done = 0
  for await (const outcome of importExpenses(store, cliActor(user.id, 'import'), request)) {
    done += 1
    if (done % rowsBetweenReports === 0) tell(`${done} rows…`)
    if (outcome.kind === 'refused') problems.push(...outcome.problems.map((problem) => toProblem(problem, map)))
    else counts[outcome.kind] += 1
    if (outcome.kind === 'imported') amounts.push(outcome)
  }
  const sums = sumByCurrency(amounts)
  return { counts, total: Object.fromEntries(sums.map((sum) => [sum.currency, fromMinor(sum.amount_minor, sum.currency)])) }
}

type RefusedRow = Extract<ImportOutcome, { kind: 'refused' }>['problems'][number]

function toProblem({ line, attribute, error }: RefusedRow, { columns }: ColumnMap): Problem {
  const [, source] = Object.entries(columns).find(([name]) => name === attribute) ?? []
  const column = typeof source === 'string' ? source : typeof source === 'object' && 'column' in source ? source.column : null
  return { row: line, column, reason: wordError(error) }
}

async function readInput(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new WorkFailed(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function readMapFile({ map, encoding }: ImportOptions): Promise<MapFile> {
  const stated = map === undefined ? {} : parseMapFile(map, new TextDecoder().decode(await readInput(map)))
  if (encoding === undefined) return stated
  const known = findEncoding(encoding)
  if (known === undefined)
    throw new CallRefused(`--encoding ${encoding} is none that can be read: say utf-8, utf-16le or latin1.`)
  return { ...stated, encoding: known }
}

function parseMapFile(file: string, text: string): MapFile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new WorkFailed(`The map file ${file} is not JSON.`)
  }
  const parsed = mapFileSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new WorkFailed(`The map file ${file} is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

function toColumnMap(table: Table, mapFile: MapFile): ColumnMap {
  const map = guessColumnMap(table.headers, sampleRows(table), mapFile)
  if (map.kind === 'mapped') return map
  const missing =
    map.missing.length === 0 ? [] : [`no column was recognised as ${map.missing.join(', ')}: name it in a map file (--map)`]
  const absent = map.absent.length === 0 ? [] : [`the map file names ${map.absent.join(', ')}, which the file does not have`]
  throw new WorkFailed(`${[...missing, ...absent].join('; ')}. Its columns are: ${table.headers.join(', ')}`)
}
