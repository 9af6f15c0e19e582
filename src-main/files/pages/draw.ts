import { PDFDocument } from '@cantoo/pdf-lib'
import { PDFDocument as Drawing } from '@napi-rs/canvas'
import { type Pen, type TextStyle, setFont, wrap } from '#main/files/pages/fonts'
import { markWidth, spellOut } from '#main/files/pages/spell-out'

/** A4 in points, and its margins. */
export const page = { width: 595, height: 842, margin: 40, bottom: 800 } as const
const quiet = '#666666'

/** Places lines of text from the top of a page down; a full page is followed by a new one. */
export class TextPages {
  readonly #drawing: Drawing
  #context: Pen | undefined
  readonly #drawn: string[] = []
  #y = 0
  #isAtTop = true

  readonly #head: (pages: TextPages) => void

  /** `head` draws the top of every page. */
  constructor(title: string, head: (pages: TextPages) => void = () => undefined) {
    this.#head = head
    this.#drawing = new Drawing({ title })
  }

  get context(): Pen {
    return this.#context ?? this.newPage()
  }

  newPage(): Pen {
    if (this.#context) this.#drawing.endPage()
    const context: Pen = this.#drawing.beginPage(page.width, page.height)
    this.#context = context
    this.#y = page.margin
    this.#isAtTop = true
    this.#head(this)
    return context
  }

  /** Draws a text on the current line. */
  text(text: string, { x, alignEnd = false, ...style }: TextStyle & { x: number; alignEnd?: boolean }): void {
    const { context } = this
    setFont(context, text, style)
    context.textAlign = alignEnd ? 'right' : 'left'
    this.#drawn.push(text)
    context.fillRect(0, 0, markWidth, markWidth)
    context.fillText(text, x, this.#y + style.size)
    context.fillRect(0, 0, markWidth, markWidth)
  }

  /** Moves down by a height. */
  down(height: number): void {
    this.#y += height
    this.#isAtTop = false
  }

  /** Begins a new page unless this height fits below. */
  need(height: number): void {
    if (this.#context === undefined || (this.#y + height > page.bottom && !this.#isAtTop)) this.newPage()
  }

  /** A paragraph over the whole width. */
  paragraph(text: string, style: TextStyle): void {
    for (const line of wrap(this.context, text, { ...style, width: page.width - 2 * page.margin })) {
      this.need(style.size * 1.4)
      this.text(line, { ...style, x: page.margin })
      this.down(style.size * 1.4)
    }
  }

  /** A line across. */
  rule(): void {
    this.context.fillStyle = '#cccccc'
    this.context.fillRect(page.margin, this.#y, page.width - 2 * page.margin, 0.5)
    this.down(4)
  }

  async end(): Promise<PDFDocument> {
    if (this.#context) this.#drawing.endPage()
    const document = await PDFDocument.load(this.#drawing.close(), { updateMetadata: false })
    await spellOut(document, this.#drawn)
    return document
  }
}

/** A column of a table: its left edge and width. */
export interface Column {
  readonly x: number
  readonly width: number
  readonly alignEnd?: boolean
}

const cellSize = 8
const lineHeight = 11

/** Draws a row of a table. A cell takes as many lines, and pages, as its text needs. */
export function drawRow(pages: TextPages, columns: readonly Column[], cells: readonly string[]): void {
  const wrapped = columns.map(({ width }, index) => wrap(pages.context, cells[index] ?? '', { size: cellSize, width }))
  const lines = Math.max(1, ...wrapped.map(({ length }) => length))
  for (let at = 0; at < lines; at++) {
    pages.need(lineHeight)
    for (const [index, { x, width, alignEnd = false }] of columns.entries()) {
      const text = wrapped[index]?.[at]
      if (text !== undefined) pages.text(text, { x: alignEnd ? x + width : x, alignEnd, size: cellSize })
    }
    pages.down(lineHeight)
  }
  pages.down(3)
}

/** Draws the names of a table's columns, and a line below. */
export function drawNames(pages: TextPages, columns: readonly Column[], names: readonly string[]): void {
  for (const [index, { x, width, alignEnd = false }] of columns.entries())
    pages.text(names[index] ?? '', { x: alignEnd ? x + width : x, alignEnd, size: cellSize, isBold: true, color: quiet })
  pages.down(lineHeight + 2)
  pages.rule()
}
