import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type AdvancementDevolution, devolutionRoutes } from '#shared/contract/advancement-devolutions'
import { type Advancement, advancementRoutes } from '#shared/contract/advancements'
import { type Balances, balanceRoutes } from '#shared/contract/balances'
import { type Expense, expenseRoutes } from '#shared/contract/expenses'
import { call, etagOf } from './client'
import { pageSize as per_page, readWhole } from './pages'
import { RecordWrites } from './record-writes'
import { keyRoots } from './keys'

/** All that this window writes to advancements. */
const advancementQueue = new RecordWrites<Advancement>()

/** Whose money of which organization, and in which currency. */
export type AccountKey = { readonly payer_id: number; readonly receiver_id: number; readonly currency: string }

/** Query keys of advancements. They are below those of expenses, which move balances too. */
export const advancementKeys = {
  all: keyRoots.advancements,
  balances: (payer_id: number) => [...keyRoots.advancements, 'balances', payer_id] as const,
  account: (account: AccountKey) => [...keyRoots.advancements, 'account', account] as const,
  one: (id: number) => [...keyRoots.advancements, 'one', id] as const,
}

/** What the user and others hold of an organization's money. */
export function useBalances(organizationId: number | null) {
  const payer_id = organizationId ?? 0
  return useQuery<Balances>({
    queryKey: advancementKeys.balances(payer_id),
    queryFn: ({ signal }) => call(balanceRoutes.list, { query: { q: { payer_id } }, signal }),
    enabled: organizationId !== null,
  })
}

/** Whom an organization owes because they spent more than they were handed in advance, by name; amounts are positive. */
export function useOwedByAdvances(organizationId: number) {
  const { data } = useBalances(organizationId)
  const all = data ? [...data.my_balances.objects, ...data.other_balances.objects] : []
  return all
    .filter(({ amount }) => amount < 0)
    .map(({ receiver, amount, currency }) => ({ receiver, amount: -amount, currency }))
    .toSorted((a, b) => a.receiver.name.localeCompare(b.receiver.name) || a.currency.localeCompare(b.currency))
}

/** One advancement, read from the server; none while there is no id. */
export function useAdvancement(id: number | null) {
  return useQuery<Advancement>({
    queryKey: advancementKeys.one(id ?? 0),
    queryFn: ({ signal }) => call(advancementRoutes.show, { params: { id: id ?? 0 }, signal }),
    enabled: id !== null,
  })
}

/** All that moves a balance. `expenses`: those liquidated through advancement, of any approved currency. */
export type AccountRecords = {
  readonly advancements: readonly Advancement[]
  readonly devolutions: readonly AdvancementDevolution[]
  readonly expenses: readonly Expense[]
}

/** How much of an account is read: records, of all there are as far as is known. */
export type ReadProgress = { readonly done: number; readonly total: number }

/** Reads everything that moves a balance, to the last page. `onProgress` gets the progress. Throws ApiError. */
export async function readAccount(
  { payer_id, receiver_id, currency }: AccountKey,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ReadProgress) => void },
): Promise<AccountRecords> {
  const parts = { advancements: { done: 0, total: 0 }, devolutions: { done: 0, total: 0 }, expenses: { done: 0, total: 0 } }
  const track = (part: keyof typeof parts) => (done: number, total: number) => {
    parts[part] = { done, total }
    const known = Object.values(parts)
    onProgress({
      done: known.reduce((sum, progress) => sum + progress.done, 0),
      total: known.reduce((sum, progress) => sum + progress.total, 0),
    })
  }
  const parties = { payer_id_eq: payer_id, receiver_id_eq: receiver_id }
  const settlements = (page: number) => ({ q: { ...parties, currency_eq: currency }, sort: 'id', page, per_page })
  const paidThrough = { ...parties, status_eq: 'liquidated', liquidate_through_advancement_eq: 1 }
  const [advancements, devolutions, expenses] = await Promise.all([
    readWhole<Advancement>(async (page) => {
      const list = await call(advancementRoutes.list, { query: settlements(page), signal })
      return { ...list, rows: list.advancements }
    }, track('advancements')),
    readWhole<AdvancementDevolution>(async (page) => {
      const list = await call(devolutionRoutes.list, { query: settlements(page), signal })
      return { ...list, rows: list.advancement_devolutions }
    }, track('devolutions')),
    readWhole<Expense>(async (page) => {
      const list = await call(expenseRoutes.list, { query: { q: paidThrough, sort: 'id', page, per_page }, signal })
      return { ...list, rows: list.expenses }
    }, track('expenses')),
  ])
  return { advancements, devolutions, expenses }
}

type NewRecord = { readonly body: Readonly<Record<string, unknown>>; readonly key: string }

/** Hands money out. The same `key` with the same record is carried out once. */
export function useHandOut() {
  return useMutation({ mutationFn: ({ body, key }: NewRecord) => call(advancementRoutes.create, { body, idempotencyKey: key }) })
}

/** Records money given back. The same `key` with the same record is carried out once. */
export function useRecordDevolution() {
  return useMutation({ mutationFn: ({ body, key }: NewRecord) => call(devolutionRoutes.create, { body, idempotencyKey: key }) })
}

/** Changes attributes of the advancement as the user saw it; 412 if it has changed since. */
export function useUpdateAdvancement() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ seen, changes }: { seen: Advancement; changes: Readonly<Record<string, unknown>> }) =>
      advancementQueue.write(seen, (now) =>
        call(advancementRoutes.update, { params: { id: seen.id }, body: changes, ifMatch: etagOf(now) }),
      ),
    onSuccess: (stored) => queryClient.setQueryData(advancementKeys.one(stored.id), stored),
  })
}

/** Deletes an advancement: what it handed out is out of the balance. */
export function useDeleteAdvancement() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (seen: Advancement) =>
      advancementQueue.run([seen.uid], () =>
        call(advancementRoutes.destroy, { params: { id: seen.id }, ifMatch: etagOf(advancementQueue.latest(seen)) }),
      ),
    onSuccess: (_none, { id }) => queryClient.removeQueries({ queryKey: advancementKeys.one(id) }),
  })
}
