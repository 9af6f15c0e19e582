import { useEffect, useState } from 'react'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import type { PlaceOnPage } from '#shared/readings/reading'
import { decodeAhead, localUrl } from '#renderer/api/attachments'
import type { ViewerCommand } from './commands'
import { openPdf } from './pdf-documents'
import { stepViewport, wholeReceipt, type Viewport, type ViewportStep } from './viewport'

/** The visible receipt, and how. `page` counts from 1; `pages` is 1 for anything but a PDF. */
export type ReceiptView = {
  readonly index: number
  readonly page: number
  readonly pages: number
  readonly viewport: Viewport
  readonly isFull: boolean
  /** What is framed on the receipt. */
  readonly place?: PlaceOnPage | undefined
}

/** What the viewer's parts change the view by. */
export type ViewerControls = {
  readonly view: ReceiptView
  readonly run: (command: ViewerCommand) => void
  readonly step: (step: ViewportStep) => void
  readonly showReceipt: (index: number) => void
  /** Shows a receipt with a place on it framed; without one the frame goes. */
  readonly showPlace: (index: number, place?: PlaceOnPage) => void
  readonly setPages: (pages: number) => void
}

const firstView: ReceiptView = { index: 0, page: 1, pages: 1, viewport: wholeReceipt, isFull: false }

function clampIndex(index: number, count: number): number {
  return Math.max(0, Math.min(count - 1, index))
}

/**
 * The state of a receipt viewer. A receipt that goes away leaves its neighbour in sight; another expense begins with its first
 * receipt, in the size that was chosen.
 */
export function useReceiptViewer(expenseId: number, attachments: readonly AttachmentRepresentation[]): ViewerControls {
  const [stored, setView] = useState(firstView)
  const [expenseShown, setExpenseShown] = useState(expenseId)
  if (expenseShown !== expenseId) {
    setExpenseShown(expenseId)
    setView({ ...firstView, isFull: stored.isFull })
  }
  const count = attachments.length
  const view = { ...stored, index: clampIndex(stored.index, count) }
  const showReceipt = (index: number) =>
    setView((before) =>
      clampIndex(index, count) === before.index ? before : { ...firstView, isFull: before.isFull, index: clampIndex(index, count) },
    )
  const showPlace = (index: number, place?: PlaceOnPage) => {
    if (place) showReceipt(index)
    setView((before) => (place ? { ...before, place, page: place.page + 1 } : { ...before, place: undefined }))
  }
  const step = (taken: ViewportStep) => setView((before) => ({ ...before, viewport: stepViewport(before.viewport, taken) }))
  const run = (command: ViewerCommand) => {
    switch (command.kind) {
      case 'receipt':
        return showReceipt(view.index + command.by)
      case 'page':
        return setView((before) => ({ ...before, page: clampIndex(before.page - 1 + command.by, before.pages) + 1 }))
      case 'full':
        return setView((before) => ({ ...before, isFull: !before.isFull, viewport: wholeReceipt }))
      case 'view':
        return step(command.step)
    }
  }
  const [setPages] = useState(() => (pages: number) => setView((before) => (before.pages === pages ? before : { ...before, pages })))
  usePrefetch(attachments[view.index + 1])
  return { view, run, step, showReceipt, showPlace, setPages }
}

/** Has the next receipt decoded before it is asked for. */
function usePrefetch(next: AttachmentRepresentation | undefined): void {
  useEffect(() => {
    if (next === undefined || next.content_type.endsWith('/xml')) return
    if (next.content_type === 'application/pdf') {
      openPdf(localUrl(next.url)).catch(() => undefined)
      return
    }
    decodeAhead(next)
  }, [next])
}
