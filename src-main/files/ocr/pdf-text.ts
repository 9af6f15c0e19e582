import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { InspectionLimits, PageTexts, PlacedText } from '#main/files/inspection'
import { withDocument } from '#main/files/pdf-files'
import type { TextLine } from '#shared/readings/text-line'

interface Piece extends PlacedText {
  /** Read from left to right, like the page. */
  readonly isUpright: boolean
}

/** Pieces on one level closer than this multiple of their letters' height are joined. */
const joined = 0.8

/** The texts of a page and where they are, in the order of its file. */
async function piecesOf(page: PDFPageProxy): Promise<Piece[]> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  return items.flatMap((item): Piece[] => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [across = 0, up = 0, skewX = 0, skewY = 0, left = 0, bottom = 0] = item.transform.map(Number)
    const [x = 0, y = 0] = viewport.convertToViewportPoint(left, bottom).map(Number)
    const [nextX = 0, nextY = 0] = viewport.convertToViewportPoint(left + across, bottom + up).map(Number)
    const height = Math.max(4, Math.hypot(skewX, skewY))
    const isUpright = nextX > x && Math.abs(nextY - y) * 10 < nextX - x
    return [{ text: item.str, x, y: y - height, width: item.width, height, isUpright }]
  })
}

/** More texts are no statement: they are in memory as a whole. */
const mostTexts = 400_000

/** The texts of a PDF that are read from left to right, and where they are. @throws if it cannot be opened, or has too many */
export async function textsOfPdf(path: string, limits: InspectionLimits): Promise<PageTexts> {
  return withDocument(path, limits, async (document) => {
    if (document.numPages > limits.maxPdfPages) throw new RangeError('The PDF has too many pages')
    const pages: Array<PageTexts[number]> = []
    let count = 0
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number)
      const pieces = (await piecesOf(page)).filter(({ isUpright }) => isUpright)
      page.cleanup()
      pages.push(pieces.map(({ isUpright: _, ...placed }) => placed))
      if ((count += pieces.length) > mostTexts) throw new RangeError('The PDF has too many texts')
    }
    return pages
  })
}

/** The text of a page as lines, in fractions of the page; empty if the page is an image. */
export async function pageLines(page: PDFPageProxy, number: number): Promise<TextLine[]> {
  const viewport = page.getViewport({ scale: 1 })
  return joinPieces(await piecesOf(page)).map(({ text, x, y, width, height }) => {
    const level = { x: x / viewport.width, y: y / viewport.height, width: width / viewport.width, height: height / viewport.height }
    const starts = [...text].map((_, at) => at / text.length)
    return { text, confidence: 1, starts, place: { page: number, ...level }, level }
  })
}

function joinPieces(pieces: readonly Piece[]): Piece[] {
  const lines: Piece[] = []
  for (const piece of pieces.toSorted((a, b) => (Math.abs(a.y - b.y) < 0.4 * a.height ? a.x - b.x : a.y - b.y))) {
    const last = lines.at(-1)
    const gap = last === undefined ? Infinity : piece.x - (last.x + last.width)
    const isNext =
      last !== undefined && Math.abs(last.y - piece.y) < 0.4 * piece.height && gap > -piece.height && gap < joined * piece.height
    if (!last || !isNext) lines.push(piece)
    else {
      const space = gap > 0.15 * piece.height && !last.text.endsWith(' ') ? ' ' : ''
      lines.splice(-1, 1, {
        ...last,
        text: `${last.text}${space}${piece.text}`,
        width: piece.x + piece.width - last.x,
        height: Math.max(last.height, piece.height),
      })
    }
  }
  return lines
}
