import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DraftFile } from '../../state/draft'
import { readReceipt, useDrafts } from '../../state/drafts'

const pageWidthPx = 900

/** An image of a receipt: itself, or the first page of a PDF; null where there is none to show. */
async function readImage({ id, content_type }: DraftFile): Promise<Blob | null> {
  const blob = await readReceipt(id)
  if (!blob) return null
  if (content_type === 'application/pdf') return (await import('./pdf-page')).drawFirstPage(blob, pageWidthPx)
  return content_type.startsWith('image/') && content_type !== 'image/tiff' ? blob : null
}

/** The address of a receipt's image, for as long as it is shown; undefined while it is read, null where there is none. */
export function usePreview(file: DraftFile): string | null | undefined {
  const isStored = useDrafts(({ activities }) => activities[file.id]?.kind !== 'storing')
  const { data: image, isError } = useQuery({ queryKey: ['receipt-image', file.id], queryFn: () => readImage(file), enabled: isStored, retry: false, gcTime: 60_000 })
  const [url, setUrl] = useState<string | undefined>()
  useEffect(() => {
    if (!image) return
    const made = URL.createObjectURL(image)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [image])
  return isError || image === null ? null : url
}
