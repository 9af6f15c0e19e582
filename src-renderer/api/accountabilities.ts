import { type InfiniteData, type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { type Accountability, type AccountabilityLiquidation, accountabilityRoutes } from '#shared/contract/accountabilities'
import type { Expense } from '#shared/contract/expenses'
import { accountabilityStatuses, type AccountabilityStatus } from '#shared/domain/accountability-status'
import { call, etagOf } from './client'
import type { ExpenseFilter } from './expenses'
import { type ListPage, pageSize, readWhole } from './pages'
import { RecordWrites } from './record-writes'
import { keyRoots } from './keys'

/** Query keys of accountabilities; everything below `all` is stale after a write of one or of its expenses. */
export const accountabilityKeys = {
  all: keyRoots.accountabilities,
  column: (payer_id: number, status: AccountabilityStatus) => [...keyRoots.accountabilities, 'column', payer_id, status] as const,
  one: (id: number) => [...keyRoots.accountabilities, 'one', id] as const,
  liquidation: (id: number) => [...keyRoots.accountabilities, 'liquidation', id] as const,
  expenses: (id: number, filter: ExpenseFilter) => [...keyRoots.accountabilities, 'expenses', id, filter] as const,
  unfinished: (parties: Parties) => [...keyRoots.accountabilities, 'unfinished', parties] as const,
  unapproved: (id: number) => [...keyRoots.accountabilities, 'unapproved', id] as const,
  joinable: (parties: Parties) => [...keyRoots.accountabilities, 'joinable', parties] as const,
  activities: (id: number) => [...keyRoots.accountabilities, 'activities', id] as const,
}

/** All that this window writes to accountabilities. */
export const accountabilityQueue = new RecordWrites<Accountability>()

/** Whose expenses, and who pays them. */
export type Parties = { readonly payer_id: number; readonly receiver_id: number }

const activitiesPageSize = 30

function nextPage({ current_page, total_pages }: { current_page: number; total_pages: number }): number | undefined {
  return current_page < total_pages ? current_page + 1 : undefined
}

/** One column of the board, newest first, page by page. */
export function useColumn(payer_id: number, status: AccountabilityStatus) {
  return useInfiniteQuery({
    queryKey: accountabilityKeys.column(payer_id, status),
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(accountabilityRoutes.list, { query: { q: { payer_id_eq: payer_id, status_eq: status }, page, per_page: pageSize }, signal }),
    getNextPageParam: nextPage,
  })
}

/**
 * The unfinished accountability of each expense of a receiver, by the id of the expense; those that the person may see. Finishing one
 * pays its expenses. A finished one has paid them.
 */
export function useUnfinishedAccountabilities({ payer_id, receiver_id }: Parties): ReadonlyMap<number, Accountability> {
  const { data } = useQuery({
    queryKey: accountabilityKeys.unfinished({ payer_id, receiver_id }),
    queryFn: ({ signal }) =>
      readWhole(async (page) => {
        const q = { payer_id_eq: payer_id, receiver_id_eq: receiver_id, status_not_eq: 'finished' }
        const { accountabilities, count } = await call(accountabilityRoutes.list, { query: { q, page, per_page: pageSize }, signal })
        return { rows: accountabilities, count }
      }),
    select: byExpense,
  })
  return data ?? noneKnown
}

const noneKnown: ReadonlyMap<number, Accountability> = new Map()

function byExpense(unfinished: readonly Accountability[]): ReadonlyMap<number, Accountability> {
  return new Map(unfinished.flatMap((one) => one.expense_ids.map((id): [number, Accountability] => [id, one])))
}

type ColumnPage = z.output<typeof accountabilityRoutes.list.response>

/**
 * Puts a moved accountability into its new column at once: columns are read again one by one, and in between it would be
 * in none of them.
 */
export function showMoved(client: QueryClient, moved: Accountability): void {
  for (const status of accountabilityStatuses)
    client.setQueryData<InfiniteData<ColumnPage>>(accountabilityKeys.column(moved.payer.id, status), (column) => {
      if (!column) return column
      const pages = column.pages.map((page, index) => {
        const others = page.accountabilities.filter(({ id }) => id !== moved.id)
        const accountabilities = index === 0 && moved.status === status ? [moved, ...others] : others
        return { ...page, accountabilities, count: page.count + accountabilities.length - page.accountabilities.length }
      })
      return { ...column, pages }
    })
  client.setQueryData(accountabilityKeys.one(moved.id), moved)
}

/** One accountability. */
export function useAccountability(id: number) {
  return useQuery<Accountability>({
    queryKey: accountabilityKeys.one(id),
    queryFn: ({ signal }) => call(accountabilityRoutes.show, { params: { id }, signal }),
  })
}

/** What finishing an accountability would do now. */
export function readLiquidation(id: number, signal?: AbortSignal): Promise<AccountabilityLiquidation> {
  return call(accountabilityRoutes.showLiquidation, { params: { id }, signal })
}

/** What finishing an accountability would do, and which expenses are not approved. */
export function useLiquidation(id: number) {
  return useQuery<AccountabilityLiquidation>({
    queryKey: accountabilityKeys.liquidation(id),
    queryFn: ({ signal }) => readLiquidation(id, signal),
  })
}

/** What happened to an accountability, newest first, page by page. */
export function useAccountabilityActivities(id: number) {
  return useInfiniteQuery({
    queryKey: accountabilityKeys.activities(id),
    initialPageParam: 1,
    queryFn: ({ pageParam: page, signal }) =>
      call(accountabilityRoutes.listActivities, { params: { id }, query: { page, per_page: activitiesPageSize }, signal }),
    getNextPageParam: nextPage,
  })
}

/** One page of the expenses of an accountability; `page` counts from 1. */
export async function readAccountabilityExpenses(
  { id, filter, page }: { id: number; filter: ExpenseFilter; page: number },
  signal?: AbortSignal,
): Promise<ListPage<Expense>> {
  const query = { q: filter, sort: '-occurred_at,-id', page, per_page: pageSize }
  const { count, expenses } = await call(accountabilityRoutes.listExpenses, { params: { id }, query, signal })
  return { count, rows: expenses }
}

/** The expenses that keep their accountability from being approved. */
export const hinderingFilter: ExpenseFilter = { status_not_in: ['approved', 'liquidated'] }

/** The expenses of an accountability that keep it from being approved, as far as the user sees them. */
export function useUnapproved(id: number) {
  return useQuery<readonly Expense[]>({
    queryKey: accountabilityKeys.unapproved(id),
    queryFn: ({ signal }) => readWhole((page) => readAccountabilityExpenses({ id, filter: hinderingFilter, page }, signal)),
  })
}

/** One page of the expenses that could be added; `page` counts from 1. */
export async function readJoinable(parties: Parties, page: number, signal?: AbortSignal): Promise<ListPage<Expense>> {
  const query = { ...parties, sort: '-occurred_at,-id', page, per_page: pageSize }
  const { count, expenses } = await call(accountabilityRoutes.listJoinable, { query, signal })
  return { count, rows: expenses }
}

/** What a new accountability is made from. */
export type NewAccountability = Parties & { title: string; description: string; expense_ids: readonly number[] }

/** Puts together an accountability; the same `key` makes it once. */
export function createAccountability(input: NewAccountability, key: string): Promise<Accountability> {
  return call(accountabilityRoutes.create, { body: { ...input }, idempotencyKey: key })
}

/** Changes an accountability, unless someone else did since it was read. */
export function updateAccountability(
  accountability: Accountability,
  body: { title?: string; description?: string; expense_ids?: readonly number[] },
): Promise<Accountability> {
  return call(accountabilityRoutes.update, { params: { id: accountability.id }, body: { ...body }, ifMatch: etagOf(accountability) })
}

/** Moves an accountability to another state, unless someone else changed it since it was read. */
export function moveAccountability(accountability: Accountability, status: AccountabilityStatus): Promise<Accountability> {
  return call(accountabilityRoutes.changeStatus, { params: { id: accountability.id }, body: { status }, ifMatch: etagOf(accountability) })
}

/** Deletes an accountability, unless someone else changed it since it was read. */
export async function deleteAccountability(accountability: Accountability): Promise<void> {
  await call(accountabilityRoutes.destroy, { params: { id: accountability.id }, ifMatch: etagOf(accountability) })
}
