import { type Command, Option } from 'commander'
import { exportBody } from '#shared/contract/instance/exports'
import { DomainError } from '#shared/domain/errors'
import { type OtherList, type TableFormat, tableFormats } from '#shared/domain/exports/exported-lists'
import { defaultLanguage } from '#shared/domain/locales'
import { type PreExpenseState, preExpenseStates } from '#shared/domain/pre-expense-state'
import { findFirstAdmin } from '../store/records/organizations/member-directory'
import type { Reader } from '../store/core/store'
import { type ListScope, type ListedRecord, listScopeOf, readList } from '../use-cases/exports/lists/read-list'
import { writeList } from '../use-cases/exports/lists/write-list'
import { existingFolderOf, getUserByEmail, keepPrivate, toEmail, toId, withStore } from './command-context'
import { CallError, type DataOption, dataCommand } from './data-command'
import { listChosen, readQuery, undamaged, writeOut } from './export-output'
import { wordError } from './wording'

interface ListExportOptions extends DataOption {
  readonly format: TableFormat
  readonly q?: string
  readonly organization?: number
  readonly user?: string
  readonly state?: PreExpenseState
}

/** `outlay export <list>`: writes a list's records that match the API's filters to standard output. */
export function exportListCommand(list: OtherList): Command {
  const command = dataCommand(list, `Write ${list.replaceAll('_', ' ')} to standard output`)
    .addOption(new Option('--format <name>', `one of ${tableFormats.join(', ')}`).choices(tableFormats).default('csv'))
    .option('--q <json>', 'filters as the API takes them')
  // Only their receivers see suggested expenses.
  if (list === 'pre_expenses')
    command
      .requiredOption('--user <address>', 'the e-mail address of who receives them', toEmail)
      .addOption(new Option('--state <state>', 'those in this state').choices(preExpenseStates).default(preExpenseStates[0]))
  else command.option('--organization <id>', 'of one organization only', toId)
  return command.action((options: ListExportOptions) => exportList(list, options))
}

async function exportList(list: OtherList, options: ListExportOptions): Promise<void> {
  const { format } = options
  const q = readQuery(options.q)
  await keepPrivate(existingFolderOf(options))
  await withStore(options, (store) =>
    undamaged(store, async (reader) => {
      const scopes = await scopesOf(reader, list, { ...options, q })
      await writeOut(writeList(recordsOf(reader, scopes), { list, format, locale: defaultLanguage, saysEmpty: false }))
    }),
  )
}

async function* recordsOf(reader: Reader, scopes: readonly ListScope[]): AsyncGenerator<ListedRecord> {
  for (const scope of scopes) yield* readList(reader, scope)
}

/** Lists of organizations are read on behalf of each organization's admin. */
async function scopesOf(
  reader: Reader,
  list: OtherList,
  { q, format, user, state, organization }: Omit<ListExportOptions, 'q'> & { readonly q: Readonly<Record<string, unknown>> },
): Promise<ListScope[]> {
  const scopeOf = (user_id: number, organization_id?: number) => readScope(list, { q, format, state, organization_id }, user_id)
  if (user !== undefined) return [scopeOf((await getUserByEmail(reader, user)).id)]
  const scopes: ListScope[] = []
  for (const { id } of await listChosen(reader, organization)) {
    const admin = await findFirstAdmin(reader, id)
    if (admin) scopes.push(scopeOf(admin.id, id))
  }
  return scopes
}

function readScope(list: OtherList, asked: object, user_id: number): ListScope {
  try {
    return listScopeOf(list, exportBody.parse(asked), user_id)
  } catch (error) {
    if (!(error instanceof DomainError) || error.refusal.kind !== 'invalid') throw error
    throw new CallError(`--q: ${Object.values(error.refusal.fields).flat().map(wordError).join(', ')}`)
  }
}
