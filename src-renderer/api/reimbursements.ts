import { queryOptions, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { expenseRoutes } from '#shared/contract/expenses'
import { type NewReimbursement, type Reimbursement, reimbursementRoutes } from '#shared/contract/reimbursements'
import { call, etagOf } from './client'
import { expenseKeys } from './expenses'
import { type ListPage, pageSize } from './pages'
import { RecordWrites } from './record-writes'
import { keyRoots } from './keys'

/** All that this window writes to reimbursements. */
const reimbursementQueue = new RecordWrites<Reimbursement>()

/** A list's filters as the API takes them: `{receiver_id_eq: 3, search_tags: 'Travel'}`. */
export type ReimbursementFilter = Readonly<Record<string, unknown>>

/**
 * Query keys of reimbursements. They are below those of expenses: everything that liquidates expenses, an accountability too,
 * creates reimbursements, and a reimbursement shows its expenses.
 */
export const reimbursementKeys = {
  all: keyRoots.reimbursements,
  list: (filter: ReimbursementFilter, sort: string) => [...keyRoots.reimbursements, 'list', filter, sort] as const,
  one: (id: number) => [...keyRoots.reimbursements, 'one', id] as const,
  joinable: (due: DueKey) => [...keyRoots.reimbursements, 'joinable', due] as const,
}

/** Whom an organization owes, and in which currency. */
export type DueKey = { readonly payer_id: number; readonly receiver_id: number; readonly currency: string }

/** What an organization owes one person in one currency: the sum of `count` approved expenses. */
export type Due = DueKey & { readonly name: string; readonly amount: number; readonly count: number }

/** Who is owed what, by name: approved expenses that no advancement pays, by claimant and approved currency. */
export function useDues(organizationId: number | null, enabled: boolean) {
  const payer_id = organizationId ?? 0
  const filter = { payer_id_eq: payer_id, status_eq: 'approved', liquidate_through_advancement_eq: 0 }
  return useQuery({
    queryKey: [...expenseKeys.summary(filter, 'receiver'), 'approved'],
    queryFn: async ({ signal }): Promise<Due[]> => {
      const { groups } = await call(expenseRoutes.summary, { query: { q: filter, group_by: 'receiver', amounts: 'approved' }, signal })
      const dues = groups.flatMap(({ key, label, totals }) =>
        totals.map((total) => ({ ...total, payer_id, receiver_id: Number(key), name: label ?? String(key) })),
      )
      return dues.toSorted((a, b) => a.name.localeCompare(b.name) || a.currency.localeCompare(b.currency))
    },
    enabled: enabled && organizationId !== null,
  })
}

function joinableQuery({ payer_id, receiver_id, currency }: DueKey) {
  const query = { payer_id, receiver_id, currency }
  return queryOptions<NewReimbursement>({
    queryKey: reimbursementKeys.joinable(query),
    queryFn: ({ signal }) => call(reimbursementRoutes.preview, { query, signal }),
  })
}

/** The expenses that can be paid to a person in a currency, and their sum. */
export function useJoinable(due: DueKey) {
  return useQuery(joinableQuery(due))
}

/** The same for several, in their order. */
export function useAllJoinable(dues: readonly DueKey[]) {
  return useQueries({ queries: dues.map(joinableQuery) })
}

/** Reads one page of a list; `page` counts from 1. */
export async function readReimbursementPage(
  { filter, sort, page }: { filter: ReimbursementFilter; sort: string; page: number },
  signal?: AbortSignal,
): Promise<ListPage<Reimbursement>> {
  const query = { q: filter, sort, page, per_page: pageSize }
  const { count, reimbursements } = await call(reimbursementRoutes.list, { query, signal })
  return { count, rows: reimbursements }
}

/** One reimbursement, read from the server. */
export function useReimbursement(id: number) {
  return useQuery<Reimbursement>({
    queryKey: reimbursementKeys.one(id),
    queryFn: ({ signal }) => call(reimbursementRoutes.show, { params: { id }, signal }),
  })
}

/** Pays a person. The same `key` with the same payment runs once. */
export function usePay() {
  return useMutation({
    mutationFn: ({ body, key }: { body: Readonly<Record<string, unknown>>; key: string }) =>
      call(reimbursementRoutes.create, { body, idempotencyKey: key }),
  })
}

/** Changes attributes of the reimbursement as the user saw it; 412 if it has changed since. */
export function useUpdateReimbursement() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ seen, changes }: { seen: Reimbursement; changes: Readonly<Record<string, unknown>> }) =>
      reimbursementQueue.write(seen, (now) =>
        call(reimbursementRoutes.update, { params: { id: seen.id }, body: changes, ifMatch: etagOf(now) }),
      ),
    onSuccess: (stored) => queryClient.setQueryData(reimbursementKeys.one(stored.id), stored),
  })
}

/** Deletes a reimbursement: its expenses are approved again. */
export function useDeleteReimbursement() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (seen: Reimbursement) =>
      reimbursementQueue.run([seen.uid], () =>
        call(reimbursementRoutes.destroy, { params: { id: seen.id }, ifMatch: etagOf(reimbursementQueue.latest(seen)) }),
      ),
    onSuccess: (_none, { id }) => queryClient.removeQueries({ queryKey: reimbursementKeys.one(id) }),
  })
}
