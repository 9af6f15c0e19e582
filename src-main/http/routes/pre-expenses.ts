import { z } from 'zod'
import type { Row } from '#db/schema'
import { type PreExpense, preExpenseRoutes } from '#shared/contract/pre-expenses'
import { isPreExpenseComplete } from '#shared/domain/pre-expense-state'
import { preExpense } from '#shared/records/pre-expense'
import { listExpenseIdsOf, listPreExpenses } from '#main/store/records/expenses/pre-expenses'
import { etagOf } from '#main/use-cases/access/preconditions'
import { createPreExpense } from '#main/use-cases/pre-expenses/create-pre-expense'
import {
  convertPreExpense,
  deletePreExpense,
  getVisiblePreExpense,
  ignorePreExpense,
  restorePreExpense,
} from '#main/use-cases/pre-expenses/pre-expenses'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toOneExpense } from '../representations/expenses'
import type { People } from '../representations/people'
import { loadParties, toRecord } from '../representations/records'

type Stored = Row<'pre_expenses'>

const information = z.record(z.string(), z.unknown())

/** Pre-expenses in the contract's form (2.14); reads everything they embed together. */
async function toPreExpenses(context: Context, rows: readonly Stored[]): Promise<PreExpense[]> {
  const converted = rows.filter(({ converted_at }) => converted_at !== null).map(({ id }) => id)
  const expenses = await listExpenseIdsOf(context.reader, converted)
  const people = await loadParties(context, preExpense, { rows })
  return rows.map((row) => toPreExpense(row, people, expenses.get(row.id) ?? null))
}

/** One pre-expense. */
async function toOnePreExpense(context: Context, row: Stored): Promise<PreExpense> {
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

async function member(context: Context, row: Row<'pre_expenses'>) {
  return { body: await toOnePreExpense(context, row), etag: etagOf(row) }
}

/** Pre-expenses (contract 4.15). */
export const preExpenseEndpoints: Endpoint[] = [
  query(preExpenseRoutes.list, async (context, { list, query: { status = 'waiting_approval' } }) => {
    const wanted = { user_id: context.caller.user_id, state: status }
    const { rows, frame, next } = toPage(list, await listPreExpenses(context.reader, wanted, { ...list, ...windowOf(list) }))
    return { body: { ...frame, pre_expenses: await toPreExpenses(context, rows) }, next }
  }),
  mutation(preExpenseRoutes.create, async (context, { body }) => {
    const { kind, pre_expense } = await createPreExpense(context.tx, body)
    return { ...(await member(context, pre_expense)), status: kind === 'made' ? 201 : 200 }
  }),
  query(preExpenseRoutes.show, async (context, { params: { id } }) =>
    member(context, await getVisiblePreExpense(context.reader, { id, user_id: context.caller.user_id })),
  ),
  mutation(preExpenseRoutes.ignore, async (context, { params }) => member(context, await ignorePreExpense(context.tx, params.id))),
  ...[preExpenseRoutes.restore, preExpenseRoutes.restoreByPut].map((route) =>
    mutation(route, async (context, { params }) => member(context, await restorePreExpense(context.tx, params.id))),
  ),
  mutation(preExpenseRoutes.convert, async (context, { params, body }) => {
    const expense = await convertPreExpense(context.tx, params.id, body)
    return { body: await toOneExpense(context, expense), etag: etagOf(expense) }
  }),
  mutation(preExpenseRoutes.destroy, async ({ tx }, { params }) => {
    await deletePreExpense(tx, params.id)
    return { body: null }
  }),
]
