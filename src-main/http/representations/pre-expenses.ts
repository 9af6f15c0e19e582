import { z } from 'zod'
import type { Row } from '#db/schema'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { isPreExpenseComplete } from '#shared/domain/pre-expense-state'
import { preExpense } from '#shared/records/pre-expense'
import { listExpenseIdsOf } from '#main/store/records/expenses/pre-expense-reader'
import type { Context } from '../endpoint'
import type { People } from './people'
import { loadParties, toRecord } from './records'

type Stored = Row<'pre_expenses'>

const information = z.record(z.string(), z.unknown())

/** Pre-expenses in the contract's form (2.14); reads everything they embed together. */
export async function toPreExpenses(context: Context, rows: readonly Stored[]): Promise<PreExpense[]> {
  const converted = rows.filter(({ converted_at }) => converted_at !== null).map(({ id }) => id)
  const expenses = await listExpenseIdsOf(context.reader, converted)
  const people = await loadParties(context, preExpense, { rows })
  return rows.map((row) => toPreExpense(row, people, expenses.get(row.id) ?? null))
}

/** One pre-expense. */
export async function toOnePreExpense(context: Context, row: Stored): Promise<PreExpense> {
  const [pre_expense] = await toPreExpenses(context, [row])
  if (!pre_expense) throw new Error('A pre-expense has no representation.')
  return pre_expense
}

function toPreExpense(row: Stored, people: People, expense_id: number | null): PreExpense {
  const href = `/pre_expenses/${row.id}`
  const shown = toRecord(preExpense, row, people)
  return {
    ...shown,
    status: isPreExpenseComplete(shown) ? 'completed' : 'in_progress',
    tags: row.tags,
    extra_information: information.parse(JSON.parse(row.extra_information)),
    expense_id,
    deleted_at: row.deleted_at,
    _links: [
      { rel: 'self', method: 'GET', href },
      { rel: 'ignore', method: 'PUT', href: `${href}/ignore` },
      { rel: 'restore', method: 'PATCH', href: `${href}/restore` },
      { rel: 'destroy', method: 'DELETE', href },
    ],
  }
}
