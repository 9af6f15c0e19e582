import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { statementMatchRoutes } from '#shared/contract/organization-records/statements'
import { invalid } from '#shared/domain/errors'
import { fromMinor } from '#shared/domain/money'
import { isAtLeast } from '#shared/domain/roles'
import { statementMatch } from '#shared/records/statement-match'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findRole } from '#main/store/records/organizations/membership-reader'
import {
  type OrganizationRow,
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import { findStatementLine, listExpensesOfIds, listMatchesOfLine } from '#main/store/records/organizations/statement-reader'
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
  },
  insert: async (tx, organization_id, input) => {
    const { line, expense } = await getPair(tx, organization_id, input)
    return matchLine(tx, { line, expense, name: input.name ?? line.name })
  },
  update: (tx, row, { name }) => updateOrganizationRecord(tx, statementMatch, { row, changes: name == null ? {} : { name } }),
  remove: async (tx, row) => {
    await deleteOrganizationRecord(tx, statementMatch, row)
    await takeBackFilled(tx, row)
  },
}

/** Makes an expense belong to a line. */
export async function matchLine(
  tx: Tx,
  { line, expense, name = line.name }: { line: Row<'statement_lines'>; expense: Row<'expenses'>; name?: string },
): Promise<OrganizationRow<'statement_matches'>> {
  const filled = await fillFromLine(tx, line, expense)
  const { organization_id, user_id, id: statement_line_id } = line
  return insertOrganizationRecord(tx, statementMatch, { organization_id, user_id, name, statement_line_id, expense_id: expense.id, filled })
}

/**
 * Makes a new expense belong to a line that the acting user sees. Throws {@link DomainError}: `invalid`, also where the line's expenses in its
 * currency, or in that of its purchase, come to more than the line.
 */
export async function matchNewExpense(tx: Tx, { id: expense_id, payer_id }: Row<'expenses'>, statement_line_id: number): Promise<void> {
  const { line, expense } = await getPair(tx, payer_id, { statement_line_id, expense_id })
  const { currency } = expense
  const limits = [
    [line.currency, line.amount_minor],
    [line.original_currency, line.original_amount_minor],
  ] as const
  const limit = limits.find(([of]) => of === currency)?.[1] ?? Infinity
  const matched = (await listMatchesOfLine(tx, line.id)).map((match) => match.expense_id)
  const others = (await listExpensesOfIds(tx, matched)).filter((other) => other.currency === currency)
  const left = others.reduce((rest, { amount_minor }) => rest - amount_minor, limit)
  if (expense.amount_minor > left) throw invalid('amount', 'above_line', { left: fromMinor(Math.max(left, 0), currency), currency })
  await matchLine(tx, { line, expense })
}

/** The line and the expense, of those that the acting user sees; others are treated as missing. */
async function getPair(tx: Tx, organization_id: number, { statement_line_id, expense_id }: Partial<MatchInput>) {
  const { user_id } = tx.actor
  const role = await findRole(tx, { organization_id, user_id })
  if (statement_line_id === null || statement_line_id === undefined) throw invalid('statement_line_id', 'blank')
  if (expense_id === null || expense_id === undefined) throw invalid('expense_id', 'blank')
  const line = await findStatementLine(tx, statement_line_id)
  if (line?.organization_id !== organization_id || !worksWithCard(role, line, user_id)) throw invalid('statement_line_id', 'invalid')
  const expense = await findExpense(tx, expense_id)
  const isSeen = expense !== undefined && (expense.receiver_id === user_id || (role !== undefined && isAtLeast(role, 'analyst')))
  if (!isSeen || expense.deleted_at !== null || expense.payer_id !== organization_id) throw invalid('expense_id', 'invalid')
  return { line, expense }
}

function assertKept(row: Row<'statement_matches'>, { statement_line_id, expense_id }: Partial<MatchInput>): void {
  if (statement_line_id !== undefined && statement_line_id !== row.statement_line_id) throw invalid('statement_line_id', 'invalid')
  if (expense_id !== undefined && expense_id !== row.expense_id) throw invalid('expense_id', 'invalid')
}
