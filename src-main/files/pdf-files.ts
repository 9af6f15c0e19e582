import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { getDocument, VerbosityLevel, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { type Invoice, toFacts } from '#shared/invoices/invoice'
import { readInvoice } from '#shared/invoices/read-invoice'
import { readXml } from '#shared/invoices/read-xml'
import { renderPixels } from '#main/files/image-files'
import type { Inspection, InspectionLimits, Thumbnail, ThumbnailStyle } from '#main/files/inspection'
import { longestSidePx } from '#main/files/inspection'

/** An open PDF. */
export type PdfDocument = Awaited<ReturnType<typeof getDocument>['promise']>

const packageFolder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** A page is painted with at least this many pixels and then reduced, which is clearer than painting it tiny. */
const minPaintedPx = 600

/** Opens a PDF and its first page. @throws if it is malformed or needs a password */
export async function inspectPdf(path: string, limits: InspectionLimits): Promise<Inspection> {
  return withDocument(path, limits, async (document) => {
    if (document.numPages > limits.maxPdfPages) return { kind: 'refused', reason: 'too_many_pages' }
    await document.getPage(1)
    const invoice = await embeddedInvoice(document, limits)
    return { kind: 'ok', pages: document.numPages, ...(invoice && { invoice: toFacts(invoice) }) }
  })
}

const mostXmlBytes = 4_000_000
const mostXmlFiles = 5

/** The invoice inside a PDF (Factur-X, ZUGFeRD): the first attached XML file that is one. */
async function embeddedInvoice(document: PdfDocument, limits: InspectionLimits): Promise<Invoice | undefined> {
  const named = [...((await document.getAttachments()) ?? [])].filter(([, { filename }]) => /\.xml$/i.test(filename))
  for (const [id, { content }] of named.slice(0, mostXmlFiles)) {
    try {
      const bytes = content ?? (await document.getAttachmentContent(id))
      const root = bytes && bytes.byteLength <= mostXmlBytes ? readXml(bytes, limits) : undefined
      const invoice = root && readInvoice(root)
      if (invoice) return invoice
    } catch {
      // Not XML, despite its name: the page is the receipt.
    }
  }
  return undefined
}

/** The picture of the first page in a style. @throws if it cannot be painted */
export async function renderPdf(path: string, style: ThumbnailStyle, limits: InspectionLimits): Promise<Thumbnail> {
  return withDocument(path, limits, async (document) => {
    return renderPixels(await paintPage(await document.getPage(1), Math.max(longestSidePx[style], minPaintedPx)), style)
  })
}

/** A page as opaque RGBA pixels. */
export interface PaintedPage {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
}

/** Paints the first pages of a PDF one by one, and passes each on with its number from 0. @throws if one cannot be painted */
export async function paintPages(
  path: string,
  { limits, longestPx, mostPages }: { limits: InspectionLimits; longestPx: number; mostPages: number },
  use: (page: PaintedPage, number: number) => Promise<void>,
): Promise<void> {
  await withDocument(path, limits, async (document) => {
    for (let number = 0; number < Math.min(document.numPages, mostPages); number += 1) {
      const page = await document.getPage(number + 1)
      await use(await paintPage(page, longestPx), number)
      page.cleanup()
    }
  })
}

/** Paints a page; `longestPx`: its longer side. @throws if it cannot be painted */
export async function paintPage(page: PDFPageProxy, longestPx: number): Promise<PaintedPage> {
  const unscaled = page.getViewport({ scale: 1 })
  const viewport = page.getViewport({ scale: longestPx / Math.max(unscaled.width, unscaled.height) })
  const width = Math.max(1, Math.round(viewport.width))
  const height = Math.max(1, Math.round(viewport.height))
  const context = createCanvas(width, height).getContext('2d')
  const paint: object = context
  if (!canPaint(paint)) throw new TypeError('This canvas is none that pdfjs can paint on')
  await page.render({ canvas: null, canvasContext: paint, viewport, background: 'white' }).promise
  return { data: context.getImageData(0, 0, width, height).data, width, height }
}

/** Opens a PDF while work runs. @throws if it is malformed or needs a password */
export async function withDocument<Result>(
  path: string,
  { maxPixels }: InspectionLimits,
  use: (document: PdfDocument) => Promise<Result>,
): Promise<Result> {
  const loading = getDocument({
    data: new Uint8Array(await readFile(path)),
    verbosity: VerbosityLevel.ERRORS,
    maxImageSize: maxPixels,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    useWorkerFetch: false,
    cMapUrl: resourceFolder('cmaps'),
    standardFontDataUrl: resourceFolder('standard_fonts'),
    iccUrl: resourceFolder('iccs'),
    wasmUrl: resourceFolder('wasm'),
  })
  try {
    return await use(await loading.promise)
  } finally {
    await loading.destroy()
  }
}

/** The DOM's canvas context, in pdfjs's types. */
type PaintContext = NonNullable<Parameters<PDFPageProxy['render']>[0]['canvasContext']>

/** pdfjs paints on any context with a browser's drawing methods. */
function canPaint(context: object): context is PaintContext {
  return ['save', 'restore', 'transform', 'fill', 'stroke', 'clip', 'drawImage', 'putImageData'].every((method) => method in context)
}

/** A folder's path with the final slash that pdfjs requires. */
function resourceFolder(name: string): string {
  return join(packageFolder, name) + sep
}
