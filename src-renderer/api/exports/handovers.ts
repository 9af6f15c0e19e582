import { type QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ExportBody, type ExportCount, exportRoutes } from '#shared/contract/instance/exports'
import { type Handover, type HandoverBody, handoverRoutes, handoversAtATime } from '#shared/contract/instance/handovers'
import { call } from '../client'
import { expenseKeys } from '../expenses'
import { exportKeys, inOwnDecimals, isWaitedFor } from './exports'

/** Query keys of handovers; what is heard of exports is heard of them. */
const keys = {
  all: (organization_id: number) => [...exportKeys.all, 'handovers', organization_id] as const,
  list: (organization_id: number) => [...keys.all(organization_id), 'list'] as const,
  one: (organization_id: number, id: string) => [...keys.all(organization_id), id] as const,
}

/** How often a handover is asked for again, in milliseconds: what the remote of a replica writes is in no feed of the replica. */
const askedAgainMs = 2_000

/** Which handover. */
export interface HandoverKey {
  readonly organization_id: number
  readonly id: string
}

/** The handovers of an organization, newest first, page by page. `null`: nobody asks. */
export function useHandovers(organization_id: number | null) {
  return useInfiniteQuery({
    queryKey: keys.list(organization_id ?? 0),
    queryFn: ({ signal, pageParam: before }) =>
      call(handoverRoutes.list, { params: { organization_id: organization_id ?? 0 }, query: before === null ? {} : { before }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ handovers }) => (handovers.length < handoversAtATime ? null : (handovers.at(-1)?.id ?? null)),
    select: ({ pages }) => pages.flatMap(({ handovers }) => handovers),
    enabled: organization_id !== null,
    retry: false,
    // Any write to an expense may change one.
    staleTime: 0,
  })
}

/** A handover; the page feed says when it has moved on. */
export function useHandover(key: HandoverKey | null) {
  const { organization_id, id } = key ?? { organization_id: 0, id: '' }
  return useQuery({
    queryKey: keys.one(organization_id, id),
    queryFn: ({ signal }) => call(handoverRoutes.show, { params: { organization_id, id }, signal }),
    enabled: key !== null,
    refetchInterval: ({ state }) => (state.data && isWaitedFor(state.data) ? askedAgainMs : false),
  })
}

/** What would be exported, or handed over by an organization. */
export interface CountedFile {
  readonly asked: ExportBody
  readonly handover: { readonly organization_id: number; readonly again: boolean } | null
}

/** How many expenses a file would have, and which it would leave out; nobody asks while there is none. */
export function useExportCount(file: CountedFile | null) {
  return useQuery({
    queryKey: [...exportKeys.all, 'count', file],
    queryFn: ({ signal }): Promise<ExportCount | null> => {
      if (file === null) return Promise.resolve(null)
      const { asked, handover } = file
      if (handover === null) return call(exportRoutes.count, { body: asked, signal })
      const { organization_id, again } = handover
      return call(handoverRoutes.count, { params: { organization_id }, body: { ...asked, again }, signal })
    },
    enabled: file !== null,
    // The file itself says it again.
    retry: false,
  })
}

/** The expenses of a handover that have changed since, page by page. */
export function useHandoverChanges({ organization_id, id }: HandoverKey) {
  return useInfiniteQuery({
    queryKey: [...keys.one(organization_id, id), 'changes'],
    queryFn: ({ signal, pageParam: after }) =>
      call(handoverRoutes.changes, { params: { organization_id, id }, query: after === null ? {} : { after: String(after) }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ changes }) => changes),
    staleTime: 0,
  })
}

/** The handovers that an expense is in, newest first. */
export function useHandoversOf({ id: expense_id, version }: { readonly id: number; readonly version: number }) {
  return useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'handovers', version],
    queryFn: ({ signal }) => call(handoverRoutes.ofExpense, { params: { expense_id }, signal }),
    retry: false,
  })
}

/** Hands expenses over. Throws ApiError. */
export async function beginHandover(
  client: QueryClient,
  organization_id: number,
  { body, idempotencyKey }: { readonly body: HandoverBody; readonly idempotencyKey: string },
): Promise<Handover> {
  const made = await call(handoverRoutes.create, { params: { organization_id }, body: inOwnDecimals(body), idempotencyKey })
  client.setQueryData(keys.one(organization_id, made.id), made)
  return made
}

/** Has what is shown of an organization's handovers, and of the expenses in them, read again. */
export async function rereadHandovers(client: QueryClient, organization_id: number): Promise<void> {
  await client.invalidateQueries({ queryKey: keys.all(organization_id) })
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes('handovers') })
}

/** Stops a handover that is not finished. Throws ApiError. */
export async function stopHandover({ organization_id, id }: HandoverKey): Promise<void> {
  await call(handoverRoutes.destroy, { params: { organization_id, id } })
}
