import { useQuery } from '@tanstack/react-query'
import type { DraftFile } from '../../state/draft'
import { readReceipt } from '../../state/drafts'
import { useOutbox } from '../../state/outbox'

const pageWidthPx = 900

/** Whether a receipt of this type can be shown as a picture. */
export function hasPicture(content_type: string): boolean {
  return content_type === 'application/pdf' || (content_type.startsWith('image/') && content_type !== 'image/tiff')
}

/** An image of a receipt: itself, or the first page of a PDF; null where there is none to show. */
async function readImage({ id, content_type }: DraftFile): Promise<Blob | null> {
  const blob = hasPicture(content_type) ? await readReceipt(id) : undefined
  if (!blob) return null
  return content_type === 'application/pdf' ? (await import('./pdf-page')).drawFirstPage(blob, pageWidthPx) : blob
}

/** A receipt's image while it is shown; undefined while loading, null if there is none. */
export function usePreview(file: DraftFile): Blob | null | undefined {
  const isStored = useOutbox(({ states }) => states[file.id]?.kind !== 'storing')
  const { data, isError } = useQuery({
    queryKey: ['receipt-image', file.id],
    queryFn: () => readImage(file),
    enabled: isStored,
    retry: false,
    gcTime: 60_000,
  })
  return isError ? null : data
}
