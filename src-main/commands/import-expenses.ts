import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Store } from '../store/core/store'
import { type MapFile, mapFileSchema } from '../tables/column-map'
import { findEncoding } from '../tables/encodings'
import { planImport } from '../tables/plan-import'
import { UnreadableTable } from '../tables/table-reason'
import { fileSource } from '../tables/table-source'
import { type ReportedChange, importTable, wordProblem } from '../use-cases/expenses/import-table'
import { statementCommand } from './import-statement'
import {
  cliActor,
  existingFolderOf,
  getAdmin,
  getOrganization,
  assertNoReplica,
  getUserByEmail,
  toCurrency,
  toEmail,
  toId,
  withStoreOf,
} from './command-context'
import { CallError, type DataOption, WorkFailed, dataCommand, print, tell } from './data-command'

interface ImportOptions extends DataOption {
  readonly organization: number
  readonly map?: string
  readonly encoding?: string
  readonly currency?: string
  readonly as?: string
  readonly update?: true
  readonly dryRun?: true
}

const rowsBetweenLines = 2_000

/** `outlay import expenses`: imports a table's rows as expenses; safe to repeat. */
export function importCommand(command: Command): Command {
  const expenses = dataCommand('expenses', 'Read expenses from a CSV file; rows imported before are skipped')
    .argument('<file>', 'the file')
    .requiredOption('--organization <id>', 'the organization that pays', toId)
    .option('--map <file>', 'JSON file that maps the columns')
    .option('--encoding <name>', 'encoding of the file, when it is not to be detected')
    .option('--currency <code>', 'currency of rows that state none', toCurrency)
    .option('--as <email>', 'on whose behalf; else the first admin of the organization', toEmail)
    .option('--update', 'give expenses that the file has changed their new content')
    .option('--dry-run', 'show what would be imported and store nothing')
    .action(runImport)
  return command.addCommand(expenses).addCommand(statementCommand())
}

async function runImport(file: string, options: ImportOptions): Promise<void> {
  const folder = existingFolderOf(options)
  const mapFile = await readMapFile(options)
  print(await withStoreOf(folder, (store) => importInto(store, options, { file, mapFile })))
}

async function importInto(store: Store, options: ImportOptions, { file, mapFile }: { file: string; mapFile: MapFile }) {
  const { organization: organization_id } = options
  await assertNoReplica(store)
  await getOrganization(store.reader, organization_id)
  const admin = await getAdmin(store.reader, organization_id)
  const user = options.as === undefined ? admin : await getUserByEmail(store.reader, options.as)
  const problems: Array<ReturnType<typeof wordProblem>> = []
  const changed: ReportedChange[] = []
  try {
    const summary = await importTable(store, cliActor(user.id, 'import'), {
      plan: planImport(fileSource(file), mapFile),
      organization_id,
      currency: options.currency ?? admin.default_currency,
      isDryRun: options.dryRun,
      isUpdate: options.update,
      onLine: (line) => void (line.kind === 'change' ? changed.push(line.change) : problems.push(wordProblem('en', line.problem))),
      onProgress: (done) => done % rowsBetweenLines === 0 && tell(`${done} rows…`),
    })
    const { rows, imported, updated, skipped, total } = summary
    return {
      rows,
      imported,
      skipped,
      problems,
      ...omitted('problems', summary.problems, problems),
      total,
      ...(changed.length > 0 && { updated, changed, ...omitted('changed', summary.changed, changed) }),
    }
  } catch (error) {
    if (error instanceof UnreadableTable) throw new WorkFailed(error.word('en'))
    throw isUnreadable(error) ? cannotRead(file, error) : error
  }
}

/** How many entries a shortened list leaves out. */
function omitted(name: 'problems' | 'changed', count: number, listed: readonly unknown[]): Record<string, number> {
  const rest = count - listed.length
  if (rest === 0) return {}
  tell(`${rest} more ${name === 'problems' ? 'problems' : 'changed rows'} are not listed.`)
  return { [`${name}_omitted`]: rest }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'open' || error.syscall === 'read')
}

function cannotRead(file: string, error: unknown): WorkFailed {
  return new WorkFailed(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
}

async function readInput(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file)
  } catch (error) {
    throw cannotRead(file, error)
  }
}

async function readMapFile({ map, encoding }: ImportOptions): Promise<MapFile> {
  const stated = map === undefined ? {} : parseMapFile(map, new TextDecoder().decode(await readInput(map)))
  if (encoding === undefined) return stated
  const known = findEncoding(encoding)
  if (known === undefined)
    throw new CallError(`--encoding ${encoding} is none that can be read: say utf-8, utf-16le, utf-16be, utf-32 or latin1.`)
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
