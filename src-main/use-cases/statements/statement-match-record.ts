import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { statementMatchRoutes } from '#shared/contract/organization-records/statements'
import { invalid } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { isAtLeast } from '#shared/domain/roles'
import { compareWithLines } from '#shared/domain/statements/split'
import { statementMatch } from '#shared/records/statement-match'
import { flagsOf } from '#main/store/records/expenses/expense-flags'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { judgeRepeats } from '#main/store/records/expenses/expense-writer'
import { findRole } from '#main/store/records/organizations/membership-reader'
import {
  type OrganizationRow,
  deleteOrganizationRecord,
  insertOrganizationRecord,
  toOrganizationRow,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import {
  findStatementLine,
  listMatchesOfExpense,
  listMatchesOfLine,
  listSharedLines,
} from '#main/store/records/organizations/statement-reader'
import type { Tx } from '#main/store/core/store'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'
import { fillFromLine, takeBackFilled } from './fill-from-line'
import { worksWithCard } from './line-rules'

/** What a match is made from. */
type MatchInput = z.output<typeof statementMatchRoutes.create.body>

/** That expenses belong to lines: with it an expense gets its card, the day it was paid and, where it names none, its supplier. */
export const statementMatchRecord: OrganizationRecord<'statement_matches', MatchInput> = {
  table: 'statement_matches',
  action: 'statement_matches.write',
  assertValid: async (tx, { organization_id, row, input }) => {
    if (row) return assertKept(row, input)
    const { line, expense } = await getPair(tx, organization_id, input)
    if ((await listMatchesOfLine(tx, line.id)).some(({ expense_id }) => expense_id === expense.id)) throw invalid('expense_id', 'taken')
    if (line.amount_minor > 0) await assertLeft(tx, expense, { line_id: line.id, attribute: 'expense_id' })
  },
  insert: async (tx, organization_id, input) => {
    const { line, expense } = await getPair(tx, organization_id, input)
    return matchLine(tx, { line, expense, name: input.name ?? line.name })
  },
  update: (tx, row, { name }) => updateOrganizationRecord(tx, statementMatch, { row, changes: name == null ? {} : { name } }),
  remove: async (tx, row) => {
    await deleteOrganizationRecord(tx, statementMatch, row)
    await takeBackFilled(tx, row)
    await judgeSharing(tx, row.expense_id, [row.statement_line_id])
  },
}

/** Ends the matches of an expense that was deleted. */
export async function endMatches(tx: Tx, expense_id: number): Promise<void> {
  for (const row of await listMatchesOfExpense(tx, expense_id))
    await statementMatchRecord.remove(tx, toOrganizationRow<'statement_matches'>(row))
}

/** Makes an expense belong to a line. */
export async function matchLine(
  tx: Tx,
  { line, expense, name = line.name }: { line: Row<'statement_lines'>; expense: Row<'expenses'>; name?: string },
): Promise<OrganizationRow<'statement_matches'>> {
  const filled = await fillFromLine(tx, line, expense)
  const { organization_id, user_id, id: statement_line_id } = line
  const values = { organization_id, user_id, name, statement_line_id, expense_id: expense.id, filled }
  const match = await insertOrganizationRecord(tx, statementMatch, values)
  await judgeSharing(tx, expense.id)
  return match
}

/** Makes a new expense belong to a line that the acting user sees. Throws {@link DomainError}: `invalid`, also where it is more than the line has left. */
export async function matchNewExpense(tx: Tx, { id: expense_id, payer_id }: Row<'expenses'>, statement_line_id: number): Promise<void> {
  const { line, expense } = await getPair(tx, payer_id, { statement_line_id, expense_id })
  await assertLeft(tx, expense, { line_id: line.id, isNew: true })
  await matchLine(tx, { line, expense })
}

/**
 * Throws where expenses would come to more than the lines that they share, as far as their currencies can be compared. One that is alone on its lines
 * and existed before may: other lines, or its claimant, can have paid the rest. It gets a finding.
 */
export async function assertLeft(
  tx: Tx,
  { id, amount_minor, currency }: Pick<Row<'expenses'>, 'id' | 'amount_minor' | 'currency'>,
  { line_id, isNew = false, attribute = 'amount' }: { line_id?: number; isNew?: boolean; attribute?: string } = {},
): Promise<void> {
  const { lines, others } = await listSharedLines(tx, id, line_id === undefined ? [] : [line_id])
  if (others.length === 0 && !isNew) return
  const compared = compareWithLines(currency, { lines, expenses: [{ amount_minor, currency }, ...others] })
  if (!compared || compared.claimed <= compared.charged) return
  const left = Math.max(compared.charged - compared.claimed + amount_minor, 0)
  throw invalid(attribute, 'above_line', { left: fromMinor(left, currency), currency })
}

/** Judges an expense again, with those that share its lines, or are on these, and come to more than the lines or did. */
export async function judgeSharing(tx: Tx, expense_id: number, line_ids: readonly number[] = []): Promise<void> {
  const { lines, others } = await listSharedLines(tx, expense_id, line_ids)
  if (lines.length === 0) return
  const own = await findExpense(tx, expense_id)
  const expenses = own?.deleted_at === null ? [own, ...others] : others
  const above = new Set(
    [...new Set(expenses.map(({ currency }) => currency))].filter((currency) => {
      const { charged, claimed } = compareWithLines(currency, { lines, expenses }) ?? { charged: 0, claimed: 0 }
      return claimed > charged
    }),
  )
  const isConcerned = ({ id, currency, flags }: Row<'expenses'>) =>
    id === expense_id || above.has(currency) || flagsOf({ flags }).some(({ condition }) => condition === 'card_line')
  await judgeRepeats(
    tx,
    expenses.filter(isConcerned).map(({ id }) => id),
  )
}

/** The line and the expense, of those that the acting user sees; others are treated as missing. */
async function getPair(tx: Tx, organization_id: number, { statement_line_id, expense_id }: Partial<MatchInput>) {
  const { user_id } = tx.actor
  const role = await findRole(tx, { organization_id, user_id })
  if (statement_line_id === null || statement_line_id === undefined) throw invalid('statement_line_id', 'blank')
  if (expense_id === null || expense_id === undefined) throw invalid('expense_id', 'blank')
  const line = await findStatementLine(tx, statement_line_id)
  if (line?.organization_id !== organization_id || !worksWithCard(role, line, user_id)) throw invalid('statement_line_id', 'invalid')
  if (line.reason !== null) throw invalid('statement_line_id', 'closed_line', { reason: line.reason })
  const expense = await findExpense(tx, expense_id)
  const isSeen = expense !== undefined && (expense.receiver_id === user_id || (role !== undefined && isAtLeast(role, 'analyst')))
  if (!isSeen || expense.deleted_at !== null || expense.payer_id !== organization_id) throw invalid('expense_id', 'invalid')
  return { line, expense }
}

function assertKept(row: Row<'statement_matches'>, { statement_line_id, expense_id }: Partial<MatchInput>): void {
  if (statement_line_id !== undefined && statement_line_id !== row.statement_line_id) throw invalid('statement_line_id', 'invalid')
  if (expense_id !== undefined && expense_id !== row.expense_id) throw invalid('expense_id', 'invalid')
}
