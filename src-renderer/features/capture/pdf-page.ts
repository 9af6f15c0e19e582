import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'

/** Draws the first page of a PDF as an image of that width in pixels. Throws if it is not a PDF. */
export async function drawFirstPage(blob: Blob, widthPx: number): Promise<Blob> {
  const { getDocument, GlobalWorkerOptions } = await import('pdfjs-dist')
  GlobalWorkerOptions.workerSrc = workerUrl
  const task = getDocument({ data: await blob.arrayBuffer() })
  try {
    const page = await (await task.promise).getPage(1)
    const viewport = page.getViewport({ scale: widthPx / page.getViewport({ scale: 1 }).width })
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(viewport.width)
    canvas.height = Math.round(viewport.height)
    await page.render({ canvas, viewport }).promise
    return await toBlob(canvas)
  } finally {
    await task.destroy()
  }
}

/** The XML files that are attached to a PDF, as Factur-X and ZUGFeRD have their invoice. Throws if it is not a PDF. */
export async function attachedXml(blob: Blob): Promise<Uint8Array[]> {
  const { getDocument, GlobalWorkerOptions } = await import('pdfjs-dist')
  GlobalWorkerOptions.workerSrc = workerUrl
  const task = getDocument({ data: await blob.arrayBuffer() })
  try {
    const document = await task.promise
    const files: Uint8Array[] = []
    for (const [id, { filename, content }] of (await document.getAttachments()) ?? []) {
      const bytes = /\.xml$/i.test(filename) ? (content ?? (await document.getAttachmentContent(id))) : null
      if (bytes) files.push(bytes)
    }
    return files
  } finally {
    await task.destroy()
  }
}

function toBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('canvas'))), 'image/png'))
}
