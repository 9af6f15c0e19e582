import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Expense, ExpenseGrouping, ExpenseSummary } from '#shared/contract/expenses'
import { expenseRoutes } from '#shared/contract/expenses'
import { call, urlOf } from './client'
import { pageSize } from './pages'
import { keyRoots } from './keys'

/** A list's filters as the API takes them: `{status_eq: 'pending', search: 'taxi'}`. */
export type ExpenseFilter = Readonly<Record<string, unknown>>

/** Query keys of expenses; everything below `all` is stale after a write. */
export const expenseKeys = {
  all: keyRoots.expenses,
  list: (filter: ExpenseFilter, sort: string) => [...keyRoots.expenses, 'list', filter, sort] as const,
  summary: (filter: ExpenseFilter, group_by: string) => [...keyRoots.expenses, 'summary', filter, group_by] as const,
  one: (id: number) => [...keyRoots.expenses, 'one', id] as const,
}

/** One page of a list. */
export interface ExpensePage {
  readonly count: number
  readonly expenses: readonly Expense[]
}

/** A page of a list; `page` counts from 1. */
export type ExpensePageQuery = { readonly filter: ExpenseFilter; readonly sort: string; readonly page: number }

const toPageQuery = ({ filter, sort, page }: ExpensePageQuery) => ({ q: filter, sort, page, per_page: pageSize })

/** Reads one page of a list. */
export function readExpensePage(query: ExpensePageQuery, signal?: AbortSignal): Promise<ExpensePage> {
  return call(expenseRoutes.list, { query: toPageQuery(query), signal })
}

/** The address that {@link readExpensePage} reads. */
export function urlOfExpensePage(query: ExpensePageQuery): string {
  return urlOf(expenseRoutes.list, { query: toPageQuery(query) })
}

/** Counts of a list by what its expenses have in common, and what its expenses count for. */
export function useExpenseSummary(filter: ExpenseFilter, group_by: ExpenseGrouping, enabled = true) {
  return useQuery<ExpenseSummary>({
    queryKey: expenseKeys.summary(filter, group_by),
    queryFn: ({ signal }) => call(expenseRoutes.summary, { query: { q: filter, group_by, amounts: 'counted' }, signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** How many expenses match. */
export function useExpenseCount(filter: ExpenseFilter) {
  return useQuery<number>({
    queryKey: [...expenseKeys.all, 'count', filter],
    queryFn: async ({ signal }) => (await call(expenseRoutes.list, { query: { q: filter, per_page: 1 }, signal })).count,
  })
}

/** How long names to choose from are good enough: a write changes them rarely, and reading them costs a pass over all expenses. */
const namesStaleMs = 5 * 60_000

/** The receivers, tags or whatever else of an organization's expenses, to choose from; unlike sums, not reloaded after each write. */
export function useExpenseNames(organizationId: number | null, group_by: ExpenseGrouping, enabled: boolean) {
  return useQuery<ExpenseSummary>({
    queryKey: ['expense-names', organizationId, group_by],
    queryFn: ({ signal }) => call(expenseRoutes.summary, { query: { q: { payer_id_eq: organizationId }, group_by }, signal }),
    staleTime: namesStaleMs,
    enabled,
  })
}

const mostOffers = 6

/** Suppliers of an organization's expenses whose names contain a text, those of most expenses first; none while they are not wanted. */
export function useSupplierOffers(
  organizationId: number | null,
  text: string,
  isWanted: boolean,
): readonly { name: string; key: string }[] {
  const typed = text.trim()
  const q = { payer_id_eq: organizationId, supplier_name_null: '0', ...(typed === '' ? {} : { supplier_name_cont: typed }) }
  const { data } = useQuery({
    queryKey: ['supplier-offers', organizationId, typed],
    queryFn: ({ signal }) => call(expenseRoutes.summary, { query: { q, group_by: 'supplier', limit: mostOffers }, signal }),
    enabled: isWanted && organizationId !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    // An offer is a help: where there is none, the name is typed.
    retry: false,
  })
  return (data?.groups ?? []).flatMap(({ key, label }) => (typeof key === 'string' ? [{ name: label ?? key, key }] : []))
}

/** The tax number that the newest expense of these suppliers has; undefined where none of them has one. */
export async function findSupplierTaxId(organizationId: number, supplier: readonly string[]): Promise<string | undefined> {
  const q = { payer_id_eq: organizationId, supplier, supplier_tax_id_null: '0' }
  const { expenses } = await call(expenseRoutes.list, { query: { q, per_page: 1 } })
  return expenses[0]?.supplier_tax_id ?? undefined
}
