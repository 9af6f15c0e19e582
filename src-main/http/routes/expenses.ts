import { expenseRoutes } from '#shared/contract/expenses'
import { toInstant } from '#shared/domain/dates'
import { offeredStatuses, statusColors } from '#shared/domain/expense-status'
import { translate } from '#shared/i18n/translations'
import { listExpenses, summarizeExpenses } from '#main/store/records/expenses/expense-reader'
import { listAttachmentsOf } from '#main/store/records/files/attachments'
import { weighMover } from '#main/use-cases/access/duties'
import { getVisibleExpense } from '#main/use-cases/access/get-visible-expense'
import { etagOf } from '#main/use-cases/access/preconditions'
import { changeExpenseStatus } from '#main/use-cases/expenses/change-expense-status'
import { createExpense, createExpenses } from '#main/use-cases/expenses/create-expense'
import { deleteExpense } from '#main/use-cases/expenses/delete-expense'
import { updateExpense } from '#main/use-cases/expenses/update-expense'
import { type Context, type Endpoint, mutation, query } from '../endpoint'
import { toPage, windowOf } from '../paging'
import { toExpenses, toOneExpense } from '../representations/expenses'
import { groupLabels, toGroup } from '../representations/expense-summary'
import type { Row } from '#db/schema'

function member(context: Context, row: Row<'expenses'>) {
  return { later: () => toOneExpense(context, row), etag: etagOf(row) }
}

/** On a replica: fetches the list of an expense's receipts, if the remote can be reached. */
async function fetchReceipts({ deps, reader }: Context<'replica'>, { id, attachments_count }: Row<'expenses'>): Promise<void> {
  if (attachments_count === 0) return
  const listed = await listAttachmentsOf(reader, [id])
  if (listed.length < attachments_count) await deps.replica.fetchReceipts(id)
}

/** Expenses and their status (contract 4.14, supplement 2). */
export const expenseEndpoints: Endpoint[] = [
  query(expenseRoutes.list, async (context, { list }) => {
    const { rows, frame, next } = toPage(list, await listExpenses(context.reader, context.caller.user_id, { ...list, ...windowOf(list) }))
    return { body: { ...frame, expenses: await toExpenses(context, rows) }, next }
  }),
  query(expenseRoutes.summary, async (context, { list, query: { group_by, amounts, limit } }) => {
    const rows = await summarizeExpenses(context.reader, context.caller.user_id, { filter: list.filter, group_by, amounts })
    const labels = await groupLabels(context, { group_by, rows, filter: list.filter })
    const groups = [...Map.groupBy(rows, ({ key }) => key)].map(([key, parts]) => toGroup(key, labels.get(key) ?? null, parts))
    return { body: { groups: groups.sort((a, b) => b.count - a.count).slice(0, limit) } }
  }),
  mutation(expenseRoutes.create, async (context, { body }) => member(context, await createExpense(context.tx, body)), {
    together: (writes) => createExpenses(writes.map(({ context, input }) => ({ by: context.tx, input: input.body }))),
  }),
  query(expenseRoutes.show, async (context: Context<'replica'>, { params: { id } }) => {
    const { expense } = await getVisibleExpense(context.reader, { id, user_id: context.caller.user_id })
    await fetchReceipts(context, expense)
    return member(context, expense)
  }),
  ...[expenseRoutes.replace, expenseRoutes.update].map((route) =>
    mutation(route, async (context, { params, body }) => member(context, await updateExpense(context.tx, params.id, body))),
  ),
  mutation(expenseRoutes.destroy, async ({ tx }, { params }) => {
    await deleteExpense(tx, params.id)
    return { body: null }
  }),
  query(expenseRoutes.listStatuses, async ({ reader, caller, deps, locale }, { params: { id } }) => {
    const { user_id } = caller
    const { expense, relation } = await getVisibleExpense(reader, { id, user_id })
    const ignored = expense.ignore_noncompliant === null ? null : expense.ignore_noncompliant === 1
    const mover = await weighMover(reader, { expense, relation, user_id, now: toInstant(deps.clock.now()) })
    const offered = offeredStatuses({ ...expense, ignore_noncompliant: ignored }, mover.relation)
    return { body: { status: offered.map((slug) => ({ slug, name: translate(locale, `status:${slug}`), ...statusColors[slug] })) } }
  }),
  mutation(expenseRoutes.changeStatus, async (context, { params, body }) =>
    member(context, await changeExpenseStatus(context.tx, params.id, body)),
  ),
]
