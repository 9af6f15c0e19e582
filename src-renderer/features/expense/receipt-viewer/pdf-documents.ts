import type { PDFDocumentLoadingTask, PDFDocumentProxy } from 'pdfjs-dist'
import { BundledPdfData } from './pdf-data'
import { onReset } from '#renderer/api/page/page-state'

const mostKept = 4
const kept = new Map<string, Promise<PDFDocumentLoadingTask>>()

onReset(() => forgetPdfs(0))

/** Closes all but the newest. */
function forgetPdfs(mostLeft: number): void {
  for (const [oldest, task] of kept) {
    if (kept.size <= mostLeft) break
    kept.delete(oldest)
    void task.then((open) => open.destroy()).catch(() => undefined)
  }
}

async function load(url: string): Promise<PDFDocumentLoadingTask> {
  const [pdf, worker] = await Promise.all([import('pdfjs-dist'), import('pdfjs-dist/build/pdf.worker.min.mjs?url')])
  pdf.GlobalWorkerOptions.workerSrc = worker.default
  return pdf.getDocument({
    url,
    BinaryDataFactory: BundledPdfData,
    useWorkerFetch: false,
    useSystemFonts: false,
    isOffscreenCanvasSupported: false,
  })
}

/** Opens a PDF by its address; the last few stay open, so that going back and forth is instant. Rejects for a broken file. */
export async function openPdf(url: string): Promise<PDFDocumentProxy> {
  const known = kept.get(url) ?? load(url)
  kept.delete(url)
  kept.set(url, known)
  forgetPdfs(mostKept)
  try {
    return await (
      await known
    ).promise
  } catch (error) {
    kept.delete(url)
    throw error
  }
}
