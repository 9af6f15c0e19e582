import type { Row } from '#db/schema'
import { preExpenseRoutes } from '#shared/contract/pre-expenses'
import { listPreExpenses } from '#main/store/records/expenses/pre-expense-reader'
import { etagOf } from '#main/use-cases/access/preconditions'
import {
  convertPreExpense,
  deletePreExpense,
  getVisiblePreExpense,
  ignorePreExpense,
  restorePreExpense,
} from '#main/use-cases/pre-expenses/pre-expenses'
import { createPreExpense } from '#main/use-cases/pre-expenses/create-pre-expense'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toOneExpense } from '../representations/expenses'
import { toOnePreExpense, toPreExpenses } from '../representations/pre-expenses'

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
