import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextLine } from '#shared/readings/text-line'

interface Piece {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Pieces on one level closer than this multiple of their letters' height are joined. */
const joined = 0.8

/** The text of a page as lines, in fractions of the page; empty if the page is an image. */
export async function pageLines(page: PDFPageProxy, number: number): Promise<TextLine[]> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const pieces = items.flatMap((item): Piece[] => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [, , skewX = 0, skewY = 0, left = 0, bottom = 0] = item.transform.map(Number)
    const [x = 0, y = 0] = viewport.convertToViewportPoint(left, bottom).map(Number)
    const height = Math.max(4, Math.hypot(skewX, skewY))
    return [{ text: item.str, x, y: y - height, width: item.width, height }]
  })
  return joinPieces(pieces).map(({ text, x, y, width, height }) => {
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
