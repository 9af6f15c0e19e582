import { Command, Option } from 'commander'
import { z } from 'zod'
import { expenseListOptions } from '#shared/contract/expenses'
import { type ListFilter, parseFilter } from '#shared/contract/filters'
import { type ExportFormat, exportFormats } from '#shared/domain/exports/export-formats'
import { expenseStatuses } from '#shared/domain/expense-status'
import { defaultLanguage } from '#shared/domain/locales'
import { type Layout, parseLayout } from '#shared/domain/exports/layout'
import { systemClock } from '../clock'
import { listOrganizations } from '../store/core/instance-reader'
import { findExportProfile } from '../store/records/organizations/export-profile-reader'
import { findFirstAdmin } from '../store/records/organizations/member-directory'
import type { Reader, Store } from '../store/core/store'
import { type ExportRow, readExportRows } from '../use-cases/exports/export-rows'
import { formats } from '../use-cases/exports/formats'
import type { FileContext } from '../use-cases/exports/formats/format'
import { lenderOf } from '../use-cases/exports/run-export'
import {
  CallError,
  type DataOption,
  WorkFailed,
  dataCommand,
  existingFolderOf,
  getOrganization,
  keepPrivate,
  openFilesOf,
  toId,
  withStore,
} from './command-context'
import { wordError } from './wording'

interface ExportOptions extends DataOption {
  readonly format: ExportFormat
  readonly q?: string
  readonly organization?: number
  readonly profile?: number
}

/** `outlay export expenses`: the expenses that the filters of the API let through, on standard output. */
export function exportCommand(): Command {
  const expenses = dataCommand('expenses', 'Write expenses to standard output')
    .addOption(new Option('--format <name>', `one of ${exportFormats.join(', ')}`).choices(exportFormats).default('csv'))
    .option('--q <json>', 'filters as the API takes them, such as {"status_eq":"approved"}')
    .option('--organization <id>', 'of one organization only', toId)
    .option('--profile <id>', 'the export profile to write by, with --format profile', toId)
    .action(runExport)
  return new Command('export').description('Write records to a file').addCommand(expenses)
}

async function runExport(options: ExportOptions): Promise<void> {
  const filter = readFilter(options.q)
  const folder = existingFolderOf(options)
  await keepPrivate(folder)
  const format = formats[options.format]
  const blobs = await openFilesOf(folder)
  await withStore(options, async (store) => {
    try {
      const layout = await readLayout(store.reader, options)
      const rows = readRows(store, { filter, withReceipts: format.withReceipts }, options.organization)
      const context: FileContext = {
        ...{ title: options.q ?? null, locale: defaultLanguage, total: 0, made_at: systemClock.now(), made_by: '' },
        layout,
        saysEmpty: false,
        onDone: () => undefined,
        withFile: lenderOf(blobs),
      }
      await writeOut(format.write(rows, context))
    } finally {
      assertUndamaged(store)
    }
  })
}

/** Throws {@link WorkFailed} where the database is damaged: that is then also the reason of whatever else went wrong. */
function assertUndamaged(store: Store): void {
  const [problem] = store.problems()
  if (problem !== undefined) throw new WorkFailed(`The database is damaged, and the export may be wrong: ${problem}`)
}

/** The layout of the profile that is named, null for other formats. Throws {@link CallError}. */
async function readLayout(reader: Reader, { format, profile }: ExportOptions): Promise<Layout | null> {
  if (format !== 'profile') return null
  if (profile === undefined) throw new CallError('--format profile needs --profile <id>: the number in the address of an export profile.')
  const layout = parseLayout((await findExportProfile(reader, profile))?.layout ?? '')
  if (!layout) throw new CallError(`There is no export profile ${profile}.`)
  return layout
}

function readFilter(text = '{}'): ListFilter {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new CallError('--q is not JSON: write it as --q \'{"status_eq":"approved"}\'.')
  }
  const q = z.record(z.string(), z.unknown()).safeParse(json)
  if (!q.success) throw new CallError('--q is not a JSON object: write it as --q \'{"status_eq":"approved"}\'.')
  const parsed = parseFilter(expenseListOptions, q.data)
  if (parsed.kind === 'invalid') throw new CallError(`--q: ${parsed.errors.map(wordError).join(', ')}`)
  assertStatuses(parsed.filter)
  return parsed.filter
}

/** A mistyped status would make an empty file that looks like an answer. */
function assertStatuses({ conditions }: ListFilter): void {
  const known: readonly unknown[] = expenseStatuses
  for (const { attribute, predicate, values } of conditions)
    for (const value of attribute === 'status' && !['cont', 'start', 'null'].includes(predicate) ? values : [])
      if (!known.includes(value))
        throw new CallError(`--q: "${value}" is not a status. The statuses are ${expenseStatuses.join(', ')}.`)
}

/** Everything is read on behalf of the admin of each organization. */
async function* readRows(
  { reader }: Store,
  { filter, withReceipts }: { filter: ListFilter; withReceipts: boolean },
  organization_id: number | undefined,
): AsyncGenerator<ExportRow> {
  for (const organization of await listChosen(reader, organization_id)) {
    const admin = await findFirstAdmin(reader, organization.id)
    if (!admin) continue
    const ofPayer = { attribute: 'payer_id', kind: 'integer', predicate: 'eq', values: [organization.id] } as const
    const whole = { ...filter, conditions: [ofPayer, ...filter.conditions] }
    yield* readExportRows(reader, { user_id: admin.id, filter: whole, withReceipts })
  }
}

async function listChosen(reader: Reader, organization_id: number | undefined) {
  return organization_id === undefined ? listOrganizations(reader) : [await getOrganization(reader, organization_id)]
}

/** Writes as fast as the reader takes it; a reader that has seen enough (`| head`) ends the export without an error. */
async function writeOut(chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  // Each write reports its own error; without a listener the event would end the process.
  process.stdout.on('error', () => undefined)
  for await (const chunk of chunks) {
    const isGone = await new Promise<boolean>((resolve, reject) => {
      process.stdout.write(chunk, (error) => {
        if (!error) resolve(false)
        else if ('code' in error && error.code === 'EPIPE') resolve(true)
        else reject(error)
      })
    })
    if (isGone) return
  }
}
