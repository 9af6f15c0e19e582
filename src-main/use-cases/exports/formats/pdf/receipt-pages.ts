import { readFile } from 'node:fs/promises'
import { EncryptedPDFError, PDFDocument, type PDFPage, degrees } from '@cantoo/pdf-lib'
import sharp, { type Region } from 'sharp'
import { translate } from '#shared/i18n/translations'
import type { AttachmentWithBlob } from '#main/store/records/files/attachments'
import type { FileContext } from '../format'
import { TextPages, page as paper } from '#main/files/pages/draw'
import type { PdfStream } from './pdf-stream'

/** A receipt of an expense, with the line above it. */
export interface NumberedReceipt {
  readonly heading: string
  readonly receipt: AttachmentWithBlob
}

/** What is on one page: a picture, a page of a document, or why there is neither. */
type Shown =
  | { readonly kind: 'picture'; readonly jpeg: Uint8Array }
  | { readonly kind: 'page'; readonly source: PDFDocument; readonly index: number }
  | { readonly kind: 'problem'; readonly text: string }

/** The part of a page below its heading. */
const area = { x: paper.margin, y: paper.height - paper.bottom, width: paper.width - 2 * paper.margin, height: 690 } as const
/** Pictures are shrunk to what a printed page shows. */
const longestSidePx = 1400
const jpegQuality = 70
const mostFrames = 50
/** A heading stays above its receipt, on one page. */
const longestHeading = 200

/** What the pages of a receipt show. A receipt that cannot be read has one page, which says why. */
async function readReceipt({ receipt }: NumberedReceipt, context: FileContext): Promise<Shown[]> {
  const problem = (key: string): Shown[] => [{ kind: 'problem', text: translate(context.locale, `exports:file.${key}`) }]
  const read = async (path: string): Promise<Shown[]> => {
    if (receipt.content_type.endsWith('/xml')) return problem('xml')
    try {
      if (receipt.content_type !== 'application/pdf') return await readPictures(path)
      const source = await PDFDocument.load(await readFile(path), { updateMetadata: false })
      return source.getPageIndices().map((index) => ({ kind: 'page', source, index }))
    } catch (error) {
      return problem(error instanceof EncryptedPDFError ? 'encrypted' : 'unreadable')
    }
  }
  return (await context.withFile(receipt.sha256, read)) ?? problem('missing')
}

/** A picture taller than this for its width is cut into pages: shrunk to one, nobody could read it. */
const tallest = 3
/** What two pages of a cut picture both show, so that no line is lost between them. */
const overlap = 0.03

async function readPictures(path: string): Promise<Shown[]> {
  const { pages = 1, format, autoOrient } = await sharp(path).metadata()
  const frames = format === 'tiff' ? Math.min(pages, mostFrames) : 1
  const shown: Shown[] = []
  for (let page = 0; page < frames; page++) {
    for (const part of frames === 1 ? cutsOf(autoOrient) : [undefined]) {
      const whole = sharp(path, { page, failOn: 'error' }).autoOrient()
      const picture = (part ? whole.extract(part) : whole).resize(longestSidePx, longestSidePx, { fit: 'inside', withoutEnlargement: true })
      shown.push({ kind: 'picture', jpeg: await picture.flatten({ background: '#ffffff' }).jpeg({ quality: jpegQuality }).toBuffer() })
    }
  }
  return shown
}

/** The parts of a long picture, each as high as a page is for its width; one undefined where it is shown whole. */
function cutsOf({ width, height }: { readonly width: number; readonly height: number }): ReadonlyArray<Region | undefined> {
  if (height <= tallest * width) return [undefined]
  const high = Math.ceil((width * area.height) / area.width)
  const step = Math.floor(high * (1 - overlap))
  const count = Math.min(mostFrames, Math.ceil((height - high) / step) + 1)
  return Array.from({ length: count }, (_, index) => {
    const top = index * step
    return { left: 0, top, width, height: index === count - 1 ? height - top : high }
  })
}

/** How many receipts are read at the same time: pictures are shrunk in threads of their own. */
const readAtOnce = 2

async function mapInTurns<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += atOnce) results.push(...(await Promise.all(items.slice(at, at + atOnce).map(work))))
  return results
}

/** The pages of some receipts, as bytes of the document. Each has its expense's number, date, claimant and amount above it. */
export async function writeReceipts(stream: PdfStream, receipts: readonly NumberedReceipt[], context: FileContext): Promise<Uint8Array> {
  const shown: Array<Shown & { readonly of: NumberedReceipt; readonly place: string }> = []
  const read = await mapInTurns(receipts, readAtOnce, (one) => readReceipt(one, context))
  for (const [at, of] of receipts.entries()) {
    const pages = read[at] ?? []
    for (const [index, one] of pages.entries()) shown.push({ ...one, of, place: pages.length > 1 ? ` · ${index + 1}/${pages.length}` : '' })
  }
  const headings = new TextPages('')
  for (const one of shown) {
    headings.newPage()
    headings.paragraph(one.of.heading.slice(0, longestHeading), { size: 10, isBold: true })
    headings.paragraph(`${one.of.receipt.file_name.slice(0, longestHeading)}${one.place}`, { size: 8, color: '#666666' })
    if (one.kind !== 'problem') continue
    headings.down(24)
    headings.paragraph(one.text, { size: 11 })
  }
  const part = await stream.part()
  const drawn = await headings.end()
  const blank = await part.copyPages(drawn, drawn.getPageIndices())
  for (const [index, page] of blank.entries()) {
    part.addPage(page)
    const one = shown[index]
    if (one) await fill(part, page, one)
  }
  return stream.write(part)
}

async function fill(part: PDFDocument, page: PDFPage, shown: Shown): Promise<void> {
  if (shown.kind === 'problem') return
  if (shown.kind === 'picture') {
    const picture = await part.embedJpg(shown.jpeg)
    const { x, y, width, height } = placed(picture)
    return page.drawImage(picture, { x, y, width, height })
  }
  const original = shown.source.getPage(shown.index)
  const [embedded] = await part.embedPdf(shown.source, [shown.index])
  if (!embedded) return
  const angle = ((original.getRotation().angle % 360) + 360) % 360
  const isTurned = angle === 90 || angle === 270
  const { x, y, width, height } = placed(isTurned ? { width: embedded.height, height: embedded.width } : embedded)
  const corner = { 0: [x, y], 90: [x, y + height], 180: [x + width, y + height], 270: [x + width, y] }[angle] ?? [x, y]
  const [left = x, bottom = y] = corner
  const size = isTurned ? { width: height, height: width } : { width, height }
  page.drawPage(embedded, { x: left, y: bottom, ...size, rotate: degrees(-angle) })
}

/** Where something of this size goes: as large as fits, in the middle at the top. */
function placed({ width, height }: { readonly width: number; readonly height: number }) {
  const scale = Math.min(area.width / width, area.height / height)
  const size = { width: width * scale, height: height * scale }
  return { ...size, x: area.x + (area.width - size.width) / 2, y: area.y + area.height - size.height }
}
