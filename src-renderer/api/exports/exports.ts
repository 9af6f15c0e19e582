import i18next from 'i18next'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { type Export, type ExportBody, exportRoutes } from '#shared/contract/instance/exports'
import { call } from '../client'
import { keyRoots } from '../keys'

/** Query keys of exports. */
export const exportKeys = { all: keyRoots.exports, show: (id: string) => [...keyRoots.exports, id] as const }

/** Whether a file is still being written, or waits for its turn. */
export function isWaitedFor({ state }: Pick<Export, 'state'>): boolean {
  return state === 'waiting' || state === 'running'
}

/** An export; the page feed says when it has moved on. */
export function useExport(id: string | null) {
  return useQuery({
    queryKey: exportKeys.show(id ?? ''),
    queryFn: ({ signal }) => call(exportRoutes.show, { params: { id: id ?? '' }, signal }),
    enabled: id !== null,
  })
}

/** With the decimals of the language that the person reads, in which their spreadsheet program expects a table. */
export function inOwnDecimals<Body extends Pick<ExportBody, 'format' | 'decimal'>>(body: Body): Body {
  const hasComma = new Intl.NumberFormat(i18next.language).format(0.5).includes(',')
  return body.format === 'csv' && hasComma ? { ...body, decimal: 'comma' } : body
}

/** Asks for an export. Throws ApiError. */
export async function beginExport(client: QueryClient, body: ExportBody, idempotencyKey: string): Promise<Export> {
  const made = await call(exportRoutes.create, { body: inOwnDecimals(body), idempotencyKey })
  client.setQueryData(exportKeys.show(made.id), made)
  // Where the request was repeated, this is how it was at first.
  void client.invalidateQueries({ queryKey: exportKeys.show(made.id) })
  return made
}

/** Stops an export and removes its file. Throws ApiError. */
export async function removeExport(id: string): Promise<void> {
  await call(exportRoutes.destroy, { params: { id } })
}
