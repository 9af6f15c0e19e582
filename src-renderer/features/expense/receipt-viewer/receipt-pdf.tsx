import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { PDFPageProxy } from 'pdfjs-dist'
import { localUrl } from '#renderer/api/attachments'
import { openPdf } from './pdf-documents'
import type { ReceiptProps } from './receipt-image'
import { ReceiptStage } from './receipt-stage'
import classes from './receipt-viewer.module.css'
import type { Size } from './viewport'

const mostPixels = 16_000_000
const redrawAfterMs = 80

/** A page of a PDF, drawn again for every zoom so that small print stays sharp. `page` counts from 1. */
export function ReceiptPdf({
  attachment,
  label,
  viewport,
  place,
  marks,
  onStep,
  onBroken,
  page,
  onPages,
}: ReceiptProps & { page: number; onPages: (count: number) => void }) {
  const url = localUrl(attachment.url)
  const { data, isError } = useQuery({
    queryKey: ['pdf-page', attachment.uid, page],
    queryFn: async () => {
      const document = await openPdf(url)
      return { page: await document.getPage(Math.min(page, document.numPages)), pages: document.numPages }
    },
    retry: false,
    gcTime: 0,
    structuralSharing: false,
  })
  const pages = data?.pages
  useEffect(() => {
    if (pages !== undefined) onPages(pages)
  }, [pages, onPages])
  useEffect(() => {
    if (isError) onBroken()
  }, [isError, onBroken])
  const natural = data && data.page.getViewport({ scale: 1 })
  return (
    <ReceiptStage
      natural={natural && { width: natural.width, height: natural.height }}
      viewport={viewport}
      place={place}
      marks={marks}
      onStep={onStep}
      draw={(size) => data && <PdfPage page={data.page} size={size} label={label} />}
    />
  )
}

function PdfPage({ page, size, label }: { page: PDFPageProxy; size: Size; label: string }) {
  const canvasRef = useRef<HTMLCanvasElement>(null)
  const [width] = useDebouncedValue(size.width, redrawAfterMs, { leading: true })
  useEffect(() => {
    const canvas = canvasRef.current
    if (canvas === null || width === 0) return undefined
    const natural = page.getViewport({ scale: 1 })
    const wanted = (width / natural.width) * window.devicePixelRatio
    const scale = Math.min(wanted, Math.sqrt(mostPixels / (natural.width * natural.height)))
    const viewport = page.getViewport({ scale })
    // Drawn apart and shown when it is done: a canvas that is given a size goes blank.
    const next = document.createElement('canvas')
    next.width = Math.ceil(viewport.width)
    next.height = Math.ceil(viewport.height)
    const drawing = page.render({ canvas: next, viewport })
    drawing.promise.then(
      () => {
        canvas.width = next.width
        canvas.height = next.height
        canvas.getContext('2d')?.drawImage(next, 0, 0)
        canvas.dataset.drawn = 'true'
      },
      () => undefined,
    )
    return () => drawing.cancel()
  }, [page, width])
  return <canvas ref={canvasRef} className={classes.picture} role="img" aria-label={label} />
}
