import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { statementMapping } from '#shared/contract/organization-records/statements'
import { DomainError } from '#shared/domain/errors'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import { translate } from '#shared/i18n/translations'
import { findCorporativeCard } from '../store/records/organizations/corporative-cards'
import type { Store } from '../store/core/store'
import { createInspector } from '../files/inspect'
import { pagesOfPdf } from '../use-cases/statements/pages-of-pdf'
import { importStatement } from '../use-cases/statements/import-statement'
import { assertNoReplica, cliActor, existingFolderOf, getAdmin, toCurrency, toId, withStoreOf } from './command-context'
import { type DataOption, WorkFailed, dataCommand, print } from './data-command'

interface StatementOptions extends DataOption {
  readonly card: number
  readonly map?: string
  readonly currency?: string
  readonly account?: string
  readonly difference?: string
  readonly dryRun?: true
}

/** `outlay import statement`: imports the lines of a card statement; safe to repeat. */
export function statementCommand(): Command {
  return dataCommand(
    'statement',
    'Add the lines of a statement (OFX, CSV, Excel, CAMT, MT940, QIF, PDF) to a company card; known lines are skipped',
  )
    .argument('<file>', 'the file')
    .requiredOption('--card <id>', 'the company card', toId)
    .option('--map <file>', 'JSON file that says how a delimited statement is read')
    .option('--currency <code>', 'currency of lines that state none', toCurrency)
    .option('--account <digits>', 'the account in the file that is of the card, by its last digits')
    .option('--difference <amount>', 'the difference between lines and balances that you have seen')
    .option('--dry-run', 'show what would be added and store nothing')
    .action(async (file: string, options: StatementOptions) => {
      const mapping = options.map === undefined ? undefined : await readMap(options.map)
      print(await withStoreOf(existingFolderOf(options), (store) => add(store, options, { file, mapping })))
    })
}

async function add(
  store: Store,
  { card: id, currency, dryRun, account, difference }: StatementOptions,
  { file, mapping }: { file: string; mapping: StatementMapping | undefined },
) {
  await assertNoReplica(store)
  const card = await findCorporativeCard(store.reader, id)
  if (!card) throw new WorkFailed(`There is no company card ${id}.`)
  const admin = await getAdmin(store.reader, card.organization_id)
  const inspector = createInspector()
  try {
    const report = await importStatement(store, cliActor(admin.id, 'import'), {
      ...{
        path: file,
        pages: await pagesOfPdf(inspector, file, 'en'),
        organization_id: card.organization_id,
        card_id: id,
        mapping,
        account,
        difference,
        locale: 'en',
        isDryRun: dryRun ?? false,
      },
      currency: currency ?? admin.default_currency,
    })
    if (report.undecided.length > 0) throw new WorkFailed(report.undecided.map(({ column, reason }) => `${column}: ${reason}`).join(' '))
    const { format, rows, added, known, refused, problems, total, proof, left_out, accounts, notes } = report
    return { format, rows, added, known, refused, problems, total, proof, left_out, accounts, notes }
  } catch (error) {
    throw toFailure(file, error)
  } finally {
    await inspector.close()
  }
}

function toFailure(file: string, error: unknown): unknown {
  if (error instanceof DomainError && error.refusal.kind === 'not_possible')
    return new WorkFailed(translate('en', `errors:${error.refusal.code}`, error.refusal.params))
  if (error instanceof DomainError && error.refusal.kind === 'invalid')
    return new WorkFailed(`${file} leaves a question open. Run with --dry-run to see it, and answer with --map, --account or --difference.`)
  if (error instanceof Error && 'syscall' in error) return new WorkFailed(`${file} cannot be read: ${error.message}`)
  return error
}

async function readMap(file: string): Promise<StatementMapping> {
  try {
    return statementMapping.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch {
    throw new WorkFailed(`The map file ${file} is not valid.`)
  }
}
