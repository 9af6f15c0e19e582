import type { Command } from 'commander'
import { Option } from 'commander'
import { expenseListOptions } from '#shared/contract/expenses'
import type { ListFilter } from '#shared/contract/filters'
import { bookedStatuses } from '#shared/domain/exports/bookings'
import { type ExportFormat, exportFormats, isOfBookings } from '#shared/domain/exports/export-formats'
import { otherLists } from '#shared/domain/exports/exported-lists'
import { type ExpenseStatus, expenseStatuses } from '#shared/domain/expense-status'
import { defaultLanguage } from '#shared/domain/locales'
import { type Layout, isDatevLayout, parseLayout } from '#shared/domain/exports/layout'
import { systemClock } from '../clock'
import { findExportProfile } from '../store/records/organizations/export-profile-reader'
import { findFirstAdmin } from '../store/records/organizations/member-directory'
import type { Reader } from '../store/core/store'
import { type ExportRow, readExportRows } from '../use-cases/exports/export-rows'
import { formats } from '../use-cases/exports/formats'
import type { FileContext } from '../use-cases/exports/formats/format'
import { lenderOf } from '../use-cases/exports/run-export'
import { existingFolderOf, keepPrivate, openFilesOf, toId, withStore } from './command-context'
import { CallError, type DataOption, dataCommand } from './data-command'
import { exportListCommand } from './export-list'
import { filterOf, listChosen, readQuery, undamaged, writeOut } from './export-output'

interface ExportOptions extends DataOption {
  readonly format: ExportFormat
  readonly q?: string
  readonly organization?: number
  readonly profile?: number
}

/** `outlay export expenses`: writes the expenses that match the API's filters to standard output. */
export function exportCommand(command: Command): Command {
  const expenses = dataCommand('expenses', 'Write expenses to standard output')
    .addOption(new Option('--format <name>', `one of ${exportFormats.join(', ')}`).choices(exportFormats).default('csv'))
    .option('--q <json>', 'filters as the API takes them, such as {"status_eq":"approved"}')
    .option('--organization <id>', 'of one organization only', toId)
    .option('--profile <id>', 'the export profile to write by, with --format profile or datev', toId)
    .action(runExport)
  command.addCommand(expenses)
  for (const list of otherLists) command.addCommand(exportListCommand(list))
  return command
}

async function runExport(options: ExportOptions): Promise<void> {
  const filter = readFilter(options.q)
  const folder = existingFolderOf(options)
  await keepPrivate(folder)
  const format = formats[options.format]
  const blobs = await openFilesOf(folder)
  await withStore(options, (store) => {
    const write = async (reader: Reader) => {
      const layout = await readLayout(reader, options)
      const read = readRows(reader, { filter, withReceipts: format.withReceipts }, options.organization)
      const counts: Counts = new Map()
      const rows = isOfBookings(options.format) ? bookedAmong(read, counts) : read
      const context: FileContext = {
        title: options.q ?? null,
        locale: defaultLanguage,
        total: 0,
        made_at: systemClock.now(),
        made_by: '',
        layout,
        saysEmpty: false,
        onDone: () => undefined,
        withFile: lenderOf(blobs),
      }
      await writeOut(format.write(rows, context))
      if (isOfBookings(options.format)) process.stderr.write(`${wordCounts(counts)}\n`)
    }
    return undamaged(store, write, { readByKey: 'expenses' })
  })
}

/** The layout of the named profile; null for other formats. Throws {@link CallError}. */
async function readLayout(reader: Reader, { format, profile }: ExportOptions): Promise<Layout | null> {
  if (format !== 'profile' && (format !== 'datev' || profile === undefined)) return null
  if (profile === undefined) throw new CallError('--format profile needs --profile <id>: the number in the address of an export profile.')
  const layout = parseLayout((await findExportProfile(reader, profile))?.layout ?? '')
  if (!layout) throw new CallError(`There is no export profile ${profile}.`)
  if (isDatevLayout(layout) !== (format === 'datev'))
    throw new CallError(`Export profile ${profile} is ${isDatevLayout(layout) ? 'for' : 'not for'} --format datev.`)
  return layout
}

function readFilter(text?: string): ListFilter {
  const filter = filterOf(expenseListOptions, readQuery(text))
  assertStatuses(filter)
  return filter
}

/** A misspelt status would give an empty file that looks like a result. */
function assertStatuses({ conditions }: ListFilter): void {
  const known: readonly unknown[] = expenseStatuses
  for (const { attribute, predicate, values } of conditions)
    for (const value of attribute === 'status' && !['cont', 'start', 'null'].includes(predicate) ? values : [])
      if (!known.includes(value)) throw new CallError(`--q: "${value}" is not a status. The statuses are ${expenseStatuses.join(', ')}.`)
}

type Counts = Map<ExpenseStatus, number>

/** Passes on the expenses that accounting books, and counts all. */
async function* bookedAmong(rows: AsyncIterable<ExportRow>, counts: Counts): AsyncGenerator<ExportRow> {
  for await (const row of rows) {
    const { status } = row.expense
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (bookedStatuses.includes(status)) yield row
  }
}

/** The counts of a file for accounting: `8 expenses booked; 3 left out: 2 awaiting_analysis, 1 rejected`. */
function wordCounts(counts: Counts): string {
  const countOf = (statuses: readonly ExpenseStatus[]) => statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  const unbooked = expenseStatuses.filter((status) => !bookedStatuses.includes(status) && counts.has(status))
  const booked = countOf(bookedStatuses)
  const parts = unbooked.map((status) => `${countOf([status])} ${status}`)
  const left = parts.length === 0 ? '' : `; ${countOf(unbooked)} left out: ${parts.join(', ')}`
  return `${booked} ${booked === 1 ? 'expense' : 'expenses'} booked${left}`
}

/** Reads each organization on behalf of its admin. */
async function* readRows(
  reader: Reader,
  { filter, withReceipts }: { filter: ListFilter; withReceipts: boolean },
  organization_id: number | undefined,
): AsyncGenerator<ExportRow> {
  for (const organization of await listChosen(reader, organization_id)) {
    const admin = await findFirstAdmin(reader, organization.id)
    if (!admin) continue
    const ofPayer = { attribute: 'payer_id', kind: 'integer', predicate: 'eq', values: [organization.id] } as const
    const whole = { ...filter, conditions: [ofPayer, ...filter.conditions] }
    yield* readExportRows(reader, { user_id: admin.id, filter: whole, withReceipts, isReadByKey: true })
  }
}
