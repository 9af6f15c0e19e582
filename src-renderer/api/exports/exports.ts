import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Export, type ExportFormat, exportRoutes } from '#shared/contract/instance/exports'
import { call } from '../client'
import type { ExpenseFilter } from '../expenses'

/** Query keys of exports. */
export const exportKeys = {
  all: ['exports'] as const,
  show: (id: string) => ['exports', id] as const,
}

/** Which expenses to export, of those that a list shows. */
export interface ExportedExpenses {
  readonly filter: ExpenseFilter
  readonly ids?: readonly number[]
  readonly except_ids?: readonly number[]
}

/** Whether a file is still being written, or waits for its turn. */
export function isWaitedFor({ state }: Pick<Export, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/** How often an export is asked for again where the feed says nothing, in milliseconds. */
const askedAgainMs = 2_000

/** An export; the page feed says when it has moved on. */
export function useExport(id: string | null) {
  return useQuery({
    queryKey: exportKeys.show(id ?? ''),
    queryFn: ({ signal }) => call(exportRoutes.show, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isWaitedFor(state.data) ? askedAgainMs : false),
  })
}

/** Asks for an export. Throws ApiError. */
export async function beginExport(
  client: QueryClient,
  { format, title, expenses }: { format: ExportFormat; title: string; expenses: ExportedExpenses },
): Promise<Export> {
  const { filter: q, ids, except_ids } = expenses
  const body = { format, title, q, ...(ids && { ids }), ...(except_ids && { except_ids }) }
  const made = await call(exportRoutes.create, { body })
  client.setQueryData(exportKeys.show(made.id), made)
  return made
}

/** Stops an export and removes its file. Throws ApiError. */
export async function removeExport(id: string): Promise<void> {
  await call(exportRoutes.destroy, { params: { id } })
}
