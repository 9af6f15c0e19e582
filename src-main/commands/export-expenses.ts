import { Command, Option } from 'commander'
import { z } from 'zod'
import type { Row } from '#db/schema'
import { expenseListOptions } from '#shared/contract/expenses'
import { type ListFilter, parseFilter } from '#shared/contract/filters'
import { exponentOf } from '#shared/domain/currencies'
import { expenseStatuses } from '#shared/domain/expense-status'
import { fromMinor } from '#shared/domain/money'
import { attributesWith } from '#shared/records/attributes'
import { shownValue } from '#shared/records/columns'
import { expense as definition } from '#shared/records/expense'
import { listExpensesAfter, listTagNamesOf } from '../store/records/expenses/expense-reader'
import { listOrganizations } from '../store/core/instance-reader'
import { findFirstAdmin } from '../store/records/organizations/member-directory'
import type { Reader, Store } from '../store/core/store'
import { listEmails, listUsersByIds } from '../store/records/users/user-reader'
import { toTagCell } from '../tables/tag-cell'
import { writeCsv, writeJson } from '../tables/write-table'
import type { SheetCell } from '../tables/write-xlsx'
import {
  CallError,
  type DataOption,
  WorkFailed,
  dataCommand,
  existingFolderOf,
  getOrganization,
  keepPrivate,
  toId,
  withStore,
} from './command-context'
import { wordError } from './wording'

interface ExportOptions extends DataOption {
  readonly format: 'csv' | 'xlsx' | 'json'
  readonly q?: string
  readonly organization?: number
}

/** An expense as a file states it; the names are those by which an import recognises its columns again. */
interface ExportedExpense extends Readonly<Record<string, string | number | boolean | null>> {
  readonly external_id: string
  readonly id: number
  readonly organization: string
  readonly receiver: string
  readonly receiver_email: string | null
  readonly occurred_at: string
  readonly amount: number
  readonly currency: string
  readonly description: string | null
  readonly tags: string
  readonly location: string | null
  readonly kind: string
  readonly status: string
  readonly approved_amount: number | null
  readonly approved_amount_currency: string | null
}

/** The columns that scripts know by their place. */
const inPlace = [
  'external_id',
  'id',
  'organization',
  'receiver',
  'receiver_email',
  'occurred_at',
  'amount',
  'currency',
  'description',
  'tags',
  'location',
  'kind',
  'status',
  'approved_amount',
  'approved_amount_currency',
] as const satisfies ReadonlyArray<keyof ExportedExpense>

/** Attributes that came later: their columns come after the others. */
const added = attributesWith(definition.attributes, 'isExported').filter(([name]) => !inPlace.some((known) => known === name))
const headers: readonly string[] = [...inPlace, ...added.map(([name]) => name)]

const pageSize = 500

/** `outlay export expenses`: the expenses that the filters of the API let through, on standard output. */
export function exportCommand(): Command {
  const expenses = dataCommand('expenses', 'Write expenses to standard output')
    .addOption(new Option('--format <name>', 'csv, json or xlsx').choices(['csv', 'json', 'xlsx']).default('csv'))
    .option('--q <json>', 'filters as the API takes them, such as {"status_eq":"approved"}')
    .option('--organization <id>', 'of one organization only', toId)
    .action(runExport)
  return new Command('export').description('Write records to a file').addCommand(expenses)
}

async function runExport(options: ExportOptions): Promise<void> {
  const { format } = options
  const filter = readFilter(options.q)
  await keepPrivate(existingFolderOf(options))
  await withStore(options, async (store) => {
    try {
      const rows = readRows(store, filter, options.organization)
      await writeOut(await toFile(rows, format))
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

async function toFile(
  rows: AsyncIterable<ExportedExpense>,
  format: ExportOptions['format'],
): Promise<AsyncIterable<string | Uint8Array>> {
  if (format === 'csv') return writeCsv(rows, headers)
  if (format === 'json') return writeJson(rows)
  const { writeXlsx } = await import('../tables/write-xlsx')
  return writeXlsx(toSheetRows(rows), { headers, sheet: 'Expenses' })
}

async function* toSheetRows(rows: AsyncIterable<ExportedExpense>) {
  for await (const row of rows)
    yield {
      ...row,
      occurred_at: { value: new Date(row.occurred_at), format: 'yyyy-mm-dd hh:mm:ss' },
      amount: toAmountCell(row.amount, row.currency),
      approved_amount: toAmountCell(row.approved_amount, row.approved_amount_currency),
    }
}

/** An amount with the decimals of its currency. */
function toAmountCell(value: number | null, currency: string | null): SheetCell {
  return value === null || currency === null ? null : { value, format: (0).toFixed(exponentOf(currency)) }
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
  filter: ListFilter,
  organization_id: number | undefined,
): AsyncGenerator<ExportedExpense> {
  const organizations =
    organization_id === undefined ? await listOrganizations(reader) : [await getOrganization(reader, organization_id)]
  for (const organization of organizations) {
    const admin = await findFirstAdmin(reader, organization.id)
    if (!admin) continue
    const ofPayer = { attribute: 'payer_id', kind: 'integer', predicate: 'eq', values: [organization.id] } as const
    const whole = { ...filter, conditions: [ofPayer, ...filter.conditions] }
    for (
      let after_id = 0, page;
      (page = await listExpensesAfter(reader, admin.id, { filter: whole, after_id, limit: pageSize })).length > 0;
    ) {
      yield* await toExported(reader, page, organization.name)
      after_id = page.at(-1)?.id ?? after_id
    }
  }
}

async function toExported(
  reader: Reader,
  expenses: ReadonlyArray<Row<'expenses'>>,
  organization: string,
): Promise<ExportedExpense[]> {
  const receivers = [...new Set(expenses.map(({ receiver_id }) => receiver_id))]
  const users = new Map((await listUsersByIds(reader, receivers)).map((user) => [user.id, user]))
  const emails = Map.groupBy(await listEmails(reader, receivers), ({ user_id }) => user_id)
  const tags = await listTagNamesOf(
    reader,
    expenses.map(({ id }) => id),
  )
  return expenses.map((expense) => {
    const { first_name = '', last_name = '' } = users.get(expense.receiver_id) ?? {}
    const { approved_amount_minor: approved, approved_amount_currency } = expense
    return {
      external_id: expense.external_id ?? expense.uid,
      id: expense.id,
      organization,
      receiver: `${first_name} ${last_name}`.trim(),
      receiver_email: emails.get(expense.receiver_id)?.[0]?.email ?? null,
      occurred_at: expense.occurred_at,
      amount: fromMinor(expense.amount_minor, expense.currency),
      currency: expense.currency,
      description: expense.description,
      tags: toTagCell(tags.get(expense.id) ?? []),
      location: expense.location,
      kind: expense.kind,
      status: expense.status,
      approved_amount:
        approved === null || approved_amount_currency === null ? null : fromMinor(approved, approved_amount_currency),
      approved_amount_currency,
      ...Object.fromEntries(added.map(([name, attribute]) => [name, shownValue(name, attribute, { ...expense })])),
    }
  })
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
