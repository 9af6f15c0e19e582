import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { statementLineRoutes } from '#shared/contract/organization-records/statements'
import { maskNumbersIn } from '#shared/domain/card-numbers'
import { DomainError, invalid } from '#shared/domain/errors'
import { statementLine } from '#shared/records/statement-line'
import {
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import { findLineByIdentity, listMatchesOfLine } from '#main/store/records/organizations/statement-reader'
import { deletePreExpense, findPreExpense } from '#main/store/records/expenses/pre-expenses'
import { toStoredAmount } from '../access/amounts'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'
import { fromMinor } from '#shared/domain/money'
import type { Tx } from '#main/store/core/store'
import { suggestByReason } from './fill-from-line'
import { getStatementCard } from './line-rules'

/** What a line is made from. */
type LineInput = z.output<typeof statementLineRoutes.create.body>

/** Lines of statements: what the bank says does not change; that no expense belongs to one can be said. */
export const statementLineRecord: OrganizationRecord<'statement_lines', LineInput> = {
  table: 'statement_lines',
  action: 'statement_lines.write',
  destroyAction: 'statement_lines.destroy',
  assertValid: async (tx, { organization_id, row, input }) => {
    if (row) return assertKept(row, input)
    const { corporative_card_id: id, external_id = '' } = input
    if (id === null || id === undefined) throw invalid('corporative_card_id', 'blank')
    const card = await getStatementCard(tx, { id, organization_id, user_id: tx.actor.user_id })
    if (await findLineByIdentity(tx, { card_id: card.id, external_id })) throw invalid('external_id', 'taken')
  },
  insert: async (tx, organization_id, input) => insertOrganizationRecord(tx, statementLine, await toRow(tx, organization_id, input)),
  update: async (tx, row, { reason, line_kind }) => {
    const stored = await updateOrganizationRecord(tx, statementLine, { row, changes: { reason, line_kind } })
    if (stored.reason !== row.reason) await suggestByReason(tx, stored)
    return stored
  },
  remove: async (tx, row) => {
    if ((await listMatchesOfLine(tx, row.id)).length > 0) throw new DomainError({ kind: 'not_possible', code: 'line_in_use' })
    await deleteOrganizationRecord(tx, statementLine, row)
    const suggested = row.pre_expense_id === null ? undefined : await findPreExpense(tx, row.pre_expense_id)
    if (suggested?.converted_at === null) await deletePreExpense(tx, suggested)
  },
}

async function toRow(tx: Tx, organization_id: number, input: LineInput) {
  const card = await getStatementCard(tx, { id: input.corporative_card_id ?? 0, organization_id, user_id: tx.actor.user_id })
  const { name, occurred_at, amount, currency, external_id, line_kind = 'charge', reason = null, rate = null } = input
  const { original_amount = null, original_currency = null } = input
  if (original_amount !== null && original_currency === null) throw invalid('original_currency', 'blank')
  const original =
    original_amount === null || original_currency === null
      ? undefined
      : toStoredAmount(original_amount, { currency: original_currency, attribute: 'original_amount', isSigned: true })
  return {
    ...{ organization_id, user_id: card.user_id, corporative_card_id: card.id, name: maskNumbersIn(name), occurred_at, currency },
    ...toStoredAmount(amount, { currency, attribute: 'amount', isSigned: true }),
    ...{ external_id, line_kind, original_currency, rate, reason, pre_expense_id: null },
    original_amount_minor: original?.amount_minor ?? null,
    original_amount_scaled: original?.amount_scaled ?? null,
  }
}

function assertKept(row: Row<'statement_lines'>, input: Partial<LineInput>): void {
  const { name, corporative_card_id, occurred_at, amount, currency, external_id, rate, original_amount, original_currency } = input
  const asked = { name, corporative_card_id, occurred_at, currency, external_id, rate, original_currency }
  const told = ['name', 'corporative_card_id', 'occurred_at', 'currency', 'external_id', 'rate', 'original_currency'] as const
  for (const attribute of told)
    if (asked[attribute] !== undefined && asked[attribute] !== row[attribute]) throw invalid(attribute, 'invalid')
  const isSame = (given: number | string | null | undefined, minor: number | null, unit: string | null) =>
    given === undefined || (given === null || minor === null || unit === null ? given === minor : Number(given) === fromMinor(minor, unit))
  if (!isSame(amount, row.amount_minor, row.currency)) throw invalid('amount', 'invalid')
  if (!isSame(original_amount, row.original_amount_minor, row.original_currency)) throw invalid('original_amount', 'invalid')
}
