import { useMutation, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { attachmentRoutes } from '#shared/contract/attachments'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { originalRoutes, type originalRepresentation } from '#shared/contract/organization-records/originals'
import type { ImageEntry } from '#shared/contract/representations'
import { call } from './client'
import { expenseKeys } from './expenses'
import { ownWritesShown } from './own-writes'

/**
 * A signed address under the page's own origin: the server sends absolute addresses, and the desktop window has another
 * origin. Addresses of another file host stay unchanged.
 */
export function localUrl(url: string): string {
  const { pathname, search } = new URL(url, location.href)
  return pathname.startsWith('/files/') ? `${pathname}${search}` : url
}

/** The address of a receipt's picture in a style; undefined when it has none. */
export function pictureUrl({ file }: Pick<AttachmentRepresentation, 'file'>, style: ImageEntry['style']): string | undefined {
  const entry = file.find((known) => known.style === style)
  return entry && localUrl(entry.url)
}

/** The address of a receipt's picture for a whole screen; undefined when it has none. */
export function previewUrl({ preview_url }: Pick<AttachmentRepresentation, 'preview_url'>): string | undefined {
  return preview_url === null ? undefined : localUrl(preview_url)
}

/** Has the browser fetch and decode a receipt's picture before it is asked for: the next one, or the next expense's first. */
export function decodeAhead(attachment: Pick<AttachmentRepresentation, 'preview_url'>): void {
  const url = previewUrl(attachment)
  if (url === undefined) return
  const image = new Image()
  image.src = url
  image.decode().catch(() => undefined)
}

/** Attaches an uploaded file to an expense, once however often it is sent under its key. Throws ApiError. */
export async function attachUpload(expense_id: number, file: string, idempotencyKey: string): Promise<void> {
  await call(attachmentRoutes.create, { params: { expense_id }, body: { file, description: null }, idempotencyKey })
}

/** Deletes an attachment. Throws ApiError. */
export async function deleteAttachment(ids: { expense_id: number; id: number }, { isLeaving }: { isLeaving: boolean }): Promise<void> {
  await call(attachmentRoutes.destroy, { params: ids, isLeaving })
}

/** Changes the description of an attachment. */
export function useDescribeAttachment(expense_id: number) {
  return useMutation({
    mutationFn: ({ id, description }: { id: number; description: string | null }) =>
      call(attachmentRoutes.update, { params: { expense_id, id }, body: { description } }),
    onSettled: ownWritesShown,
  })
}

/** A file of an expense as it was captured. */
export type Original = z.infer<typeof originalRepresentation>

/** The files of an expense as they were captured, read again with each version of the expense. */
export function useOriginals({ id: expense_id, version }: { readonly id: number; readonly version: number }, enabled: boolean) {
  return useQuery({
    queryKey: [...expenseKeys.one(expense_id), 'originals', version],
    queryFn: async ({ signal }) => (await call(originalRoutes.ofExpense, { params: { expense_id }, signal })).originals,
    enabled,
    retry: false,
  })
}
