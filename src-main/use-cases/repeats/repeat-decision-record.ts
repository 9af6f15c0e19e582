import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { repeatDecisionRoutes } from '#shared/contract/organization-records/repeats'
import { invalid } from '#shared/domain/errors'
import { repeatDecision } from '#shared/records/repeat-decision'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { judgeRepeats } from '#main/store/records/expenses/expense-writer'
import { findRepeatDecision, listRepeatDecisions } from '#main/store/records/expenses/repeat-reader'
import {
  deleteOrganizationRecord,
  insertOrganizationRecord,
  updateOrganizationRecord,
} from '#main/store/records/organizations/organization-records'
import type { Tx } from '#main/store/core/store'
import type { OrganizationRecord } from '../organization-records/plain-organization-record'

type DecisionInput = z.output<typeof repeatDecisionRoutes.create.body>

/** Decisions that two expenses are not repeats: one for each pair. Both are judged again. */
export const repeatDecisionRecord: OrganizationRecord<'repeat_decisions', DecisionInput> = {
  table: 'repeat_decisions',
  action: 'repeat_decisions.write',
  assertValid: async (tx, { organization_id, row, input }) => {
    if (row) return assertKept(row, input)
    for (const name of ['expense_id', 'other_expense_id'] as const)
      await assertExpense(tx, organization_id, { name, id: input[name] ?? null })
    if (await findRepeatDecision(tx, pairOf(input))) throw invalid('other_expense_id', 'taken')
  },
  insert: async (tx, organization_id, input) => {
    const pair = pairOf(input)
    const values = { ...pair, name: input.name, user_id: tx.actor.user_id, organization_id }
    const row = await insertOrganizationRecord(tx, repeatDecision, values)
    await judgeRepeats(tx, idsOf(pair))
    return row
  },
  update: (tx, row, { name }) => updateOrganizationRecord(tx, repeatDecision, { row, changes: { name } }),
  remove: async (tx, row) => {
    await deleteOrganizationRecord(tx, repeatDecision, row)
    await judgeRepeats(tx, idsOf(row))
  },
}

/** Withdraws the decisions about an expense's pairs, as the expense changes. Does not judge it again. */
export async function takeBackRepeatDecisions(tx: Tx, expense_id: number): Promise<void> {
  for (const row of await listRepeatDecisions(tx, expense_id)) {
    await deleteOrganizationRecord(tx, repeatDecision, row)
    await judgeRepeats(
      tx,
      idsOf(row).filter((id) => id !== expense_id),
    )
  }
}

type Pair = Pick<Row<'repeat_decisions'>, 'expense_id' | 'other_expense_id'>

/** The pair in its stored order, whichever comes first. */
function pairOf({ expense_id = null, other_expense_id = null }: Partial<DecisionInput>): Pair {
  if (expense_id === null || other_expense_id === null || expense_id === other_expense_id) throw invalid('other_expense_id', 'invalid')
  return expense_id < other_expense_id ? { expense_id, other_expense_id } : { expense_id: other_expense_id, other_expense_id: expense_id }
}

function idsOf({ expense_id, other_expense_id }: Pair): number[] {
  return [expense_id, other_expense_id]
}

function assertKept(row: Pair, input: Partial<DecisionInput>): void {
  for (const name of ['expense_id', 'other_expense_id'] as const)
    if (input[name] !== undefined && input[name] !== row[name]) throw invalid(name, 'invalid')
}

/** Throws for an expense that is not in the organization; users who decide see all of its expenses. */
async function assertExpense(tx: Tx, organization_id: number, { name, id }: { name: keyof Pair; id: number | null }): Promise<void> {
  if (id === null) throw invalid(name, 'blank')
  const expense = await findExpense(tx, id)
  if (!expense || expense.deleted_at !== null || expense.payer_id !== organization_id) throw invalid(name, 'invalid')
}
