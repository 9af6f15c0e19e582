import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { instanceRoutes, type Session } from '#shared/contract/instance/instance'
import { replicaRoutes, type ReplicaList, type ReplicaOperation, type ReplicaState } from '#shared/contract/instance/replica'
import { call } from './client'
import { keyRoots } from './keys'

/** Query keys of this instance as a replica. */
export const replicaKeys = {
  all: keyRoots.replica,
  state: [...keyRoots.replica, 'state'] as const,
  operations: (list: ReplicaList) => [...keyRoots.replica, 'operations', list] as const,
  verdicts: [...keyRoots.replica, 'verdicts'] as const,
  offers: [...keyRoots.replica, 'offers'] as const,
}

/** The sync status. */
export function useReplicaState() {
  return useQuery<ReplicaState>({
    queryKey: replicaKeys.state,
    queryFn: ({ signal }) => call(replicaRoutes.show, { signal }),
    retry: false,
  })
}

/** The operations of a list, oldest first: the first thousand of `count`. */
export function useOperations(list: ReplicaList, enabled = true) {
  return useQuery({
    queryKey: replicaKeys.operations(list),
    queryFn: ({ signal }) => call(replicaRoutes.operations, { query: { list }, signal }),
    enabled,
  })
}

/** Expenses in which the remote found something else than was found here. */
export function useChangedVerdicts(enabled: boolean) {
  return useQuery({ queryKey: replicaKeys.verdicts, queryFn: ({ signal }) => call(replicaRoutes.verdicts, { signal }), enabled })
}

/** Shows no more that the remote found something else in these expenses. */
export function useDismissVerdicts() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (expense_ids: readonly number[]) => call(replicaRoutes.dismissVerdicts, { body: { expense_ids: [...expense_ids] } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: replicaKeys.verdicts }),
  })
}

/** What was made here before there was a remote, and is still offered. */
export function useOffers(enabled: boolean) {
  return useQuery({ queryKey: replicaKeys.offers, queryFn: ({ signal }) => call(replicaRoutes.offers, { signal }), enabled })
}

/** Makes this instance a replica; the browser is then nobody's until {@link signInAgain}, unless the remote was known before. */
export function connectRemote(body: { url: string; token: string }): Promise<ReplicaState> {
  return call(replicaRoutes.connect, { body })
}

/** Gives the browser a session of the remote's user. */
export function signInAgain(token: string): Promise<Session> {
  return call(instanceRoutes.signIn, { body: { token } })
}

/** Ends being a replica. */
export function disconnectRemote(data: 'keep' | 'remove'): Promise<null> {
  return call(replicaRoutes.disconnect, { query: { data } })
}

/** Requests an exchange; returns the sync status at its beginning. */
export function syncNow(): Promise<ReplicaState> {
  return call(replicaRoutes.sync, { body: {} })
}

/** Applies the remote's deletions, or keeps the local records for now. */
export function decideGuard(decision: 'allow' | 'keep'): Promise<ReplicaState> {
  return call(replicaRoutes.decide, { body: { decision } })
}

/** How many bytes of receipts are fetched ahead. */
export function setReceiptBudget(receipt_budget_bytes: number): Promise<ReplicaState> {
  return call(replicaRoutes.settings, { body: { receipt_budget_bytes } })
}

/** What a person decides about an operation that did not come through. */
export type Decision = 'again' | 'mine' | 'theirs' | 'discard'

/** How many decisions fit into a request that outlives its page. */
const mostLeaving = 600

/** Carries out a decision about operations, each by what the person saw; answers which were refused, and why. Throws ApiError. */
export function resolveOperations(
  operations: ReadonlyArray<Pick<ReplicaOperation, 'op_id' | 'seen'>>,
  { decision, isLeaving }: { decision: Decision; isLeaving: boolean },
) {
  const sent = operations.slice(0, isLeaving ? mostLeaving : undefined)
  const named = sent.map(({ op_id, seen }) => ({ op_id, seen: seen ?? undefined }))
  return call(replicaRoutes.resolve, { body: { operations: named, decision }, isLeaving })
}

/** Creates offered records at the remote in one of its organizations, or lets them be. */
export function decideOffers(body: { ids: readonly number[]; organization_id: number; decision: 'accept' | 'dismiss' }) {
  return call(replicaRoutes.accept, { body: { ...body, ids: [...body.ids] } })
}
