import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Expense } from '#shared/contract/expenses'
import { type PreExpense, preExpenseRoutes } from '#shared/contract/pre-expenses'
import type { PreExpenseState } from '#shared/domain/pre-expense-state'
import { type BatchOutcome, runBatch } from './batch'
import { call, etagOf, pathOf } from './client'
import { type ListPage, pageSize } from './pages'
import { keyRoots } from './keys'

/** Query keys of pre-expenses; everything below `all` is stale after a write. */
export const preExpenseKeys = {
  all: keyRoots.preExpenses,
  list: (state: PreExpenseState) => [...keyRoots.preExpenses, 'list', state] as const,
  count: (state: PreExpenseState) => [...keyRoots.preExpenses, 'count', state] as const,
  one: (id: number) => [...keyRoots.preExpenses, 'one', id] as const,
}

/** Reads one page of the pre-expenses in a state, newest first; `page` counts from 1. */
export async function readPreExpensePage(status: PreExpenseState, page: number, signal?: AbortSignal): Promise<ListPage<PreExpense>> {
  const query = { status, sort: '-created_at', page, per_page: pageSize }
  const { count, pre_expenses } = await call(preExpenseRoutes.list, { query, signal })
  return { count, rows: pre_expenses }
}

/** How many pre-expenses are in a state; undefined while it is not known. */
export function usePreExpenseCount(status: PreExpenseState): number | undefined {
  const { data } = useQuery({
    queryKey: preExpenseKeys.count(status),
    queryFn: async ({ signal }) => (await call(preExpenseRoutes.list, { query: { status, per_page: 1 }, signal })).count,
  })
  return data
}

/** One pre-expense, read from the server. */
export function usePreExpense(id: number | undefined) {
  return useQuery<PreExpense>({
    queryKey: preExpenseKeys.one(id ?? 0),
    queryFn: ({ signal }) => call(preExpenseRoutes.show, { params: { id: id ?? 0 }, signal }),
    enabled: id !== undefined,
  })
}

/** What a pre-expense is made of (contract 4.15). */
export type NewPreExpenseBody = z.input<typeof preExpenseRoutes.create.body>

/** Notes an expense to come. Throws ApiError. */
export function createPreExpense(body: NewPreExpenseBody): Promise<PreExpense> {
  return call(preExpenseRoutes.create, { body })
}

/** What a pre-expense is converted with (contract 4.15). */
export type Conversion = z.input<typeof preExpenseRoutes.convert.body>

/** Converts a pre-expense as the user saw it. */
export function convertPreExpense(seen: PreExpense, body: Conversion): Promise<Expense> {
  return call(preExpenseRoutes.convert, { params: { id: seen.id }, body, ifMatch: etagOf(seen) })
}

const acts = {
  ignore: { method: 'PUT', route: preExpenseRoutes.ignore },
  restore: { method: 'PATCH', route: preExpenseRoutes.restore },
  delete: { method: 'DELETE', route: preExpenseRoutes.destroy },
  convert: { method: 'POST', route: preExpenseRoutes.convert },
} as const

/** What can be done to one or many pre-expenses. */
export type PreExpenseAct = keyof typeof acts

/** A pre-expense to do something to; a conversion has a body. A whole pre-expense is one, too. */
export interface PreExpenseTarget {
  readonly id: number
  readonly body?: Record<string, unknown>
}

/** How many writes one request holds. */
const batchSize = 200

/** Does the same to many, each independently; the outcomes are in their order. `newKey` marks each request. */
export async function runPreExpenseBatch(
  act: PreExpenseAct,
  targets: readonly PreExpenseTarget[],
  newKey: () => string,
): Promise<BatchOutcome[]> {
  const { method, route } = acts[act]
  const operations = targets.map(({ id, body }) => ({ method, path: pathOf(route, { id }), body }))
  const outcomes: BatchOutcome[] = []
  while (outcomes.length < operations.length)
    outcomes.push(...(await runBatch(operations.slice(outcomes.length, outcomes.length + batchSize), { idempotencyKey: newKey() })))
  return outcomes
}
