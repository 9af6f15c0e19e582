import { z } from 'zod'
import type { TableSource } from '../table-source'
import { readFigure } from './figures'
import { type FoundDay, dayAt } from './pdf-days'

/** A text with the page's upper left corner as its origin, in points. */
const placedText = z.object({ text: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number() })
const pagesSchema = z.array(z.array(placedText))
type PlacedText = z.infer<typeof placedText>

/** A text that is one in a row: its left and right edge on the page, in points. */
export interface Cell {
  readonly text: string
  readonly left: number
  readonly right: number
}

/** The texts on one level of a page. `line`: its place among all rows of the file, from 1. */
export interface TextRow {
  readonly line: number
  readonly page: number
  /** Where its letters stand, from the top of the page, and their height. */
  readonly base: number
  readonly height: number
  readonly cells: readonly Cell[]
}

/** The texts of a PDF, page after page, as bytes for `openStatement`. */
export function bytesOfPages(pages: ReadonlyArray<ReadonlyArray<z.input<typeof placedText>>>): TableSource {
  const bytes = new TextEncoder().encode(JSON.stringify(pages))
  return function* () {
    yield bytes
  }
}

/** The rows of a PDF from what {@link bytesOfPages} made, page after page and from the top. */
export function readRows(text: Iterable<string>): TextRow[] {
  const pages = pagesSchema.parse(JSON.parse([...text].join('')))
  let line = 0
  return pages.flatMap((texts, page) => rowsOf(texts).map((row): TextRow => ({ ...row, page, line: (line += 1) })))
}

/** Texts closer than this multiple of their letters' height are one; those farther apart than the other one are words of it. */
const joined = 0.7
const spaced = 0.12
/** A row of a table has fewer cells. */
const mostCells = 100
/** Texts whose levels differ by less than this multiple are in one row. */
const sameLevel = 0.4

function rowsOf(texts: readonly PlacedText[]): Array<Pick<TextRow, 'base' | 'height' | 'cells'>> {
  const sorted = texts.flatMap(toParts).toSorted((one, other) => one.base - other.base)
  const rows: Part[][] = []
  let base = Number.NEGATIVE_INFINITY
  for (const part of sorted) {
    if (part.base - base > sameLevel * part.height) {
      rows.push([])
      base = part.base
    }
    rows.at(-1)?.push(part)
  }
  return rows.map((parts) => ({
    base: parts[0]?.base ?? 0,
    height: Math.max(...parts.map(({ height }) => height)),
    cells: joinParts(parts.toSorted((one, other) => one.left - other.left)).slice(0, mostCells),
  }))
}

interface Part extends Cell {
  readonly base: number
  readonly height: number
}

/** The parts of a text between wide spaces, each where it is likely to be. */
function toParts({ text, x, y, width, height }: PlacedText): Part[] {
  const at = (index: number) => x + (width * index) / text.length
  return [...text.matchAll(/\S+(?:\s\S+)*/g)].map(({ 0: part, index }) => ({
    ...{ text: part.replaceAll(/\s/g, ' '), left: at(index), right: at(index + part.length) },
    ...{ base: y + height, height },
  }))
}

function joinParts(parts: readonly Part[]): Cell[] {
  const cells: Cell[] = []
  for (const part of parts) {
    const last = cells.at(-1)
    const gap = last ? part.left - last.right : Infinity
    // Bold letters can be the same text twice.
    if (last && last.text.endsWith(part.text) && part.left < last.right - 0.5 * (part.right - part.left)) continue
    if (!last || gap > joined * part.height || (isAmount(last.text) && isAmount(part.text))) cells.push(part)
    else {
      const space = gap > spaced * part.height ? ' ' : ''
      cells[cells.length - 1] = { text: `${last.text}${space}${part.text}`, left: last.left, right: part.right }
    }
  }
  return cells.map(({ text, left, right }) => ({ text, left, right }))
}

/** Whether a text is an amount with decimals and nothing else. */
export const isAmount = (text: string): boolean => /\d[.,]\d{2,3}\D*$/.test(text) && readFigure(text) !== undefined

const mark = String.raw`(?:R\$|US\$|\p{Sc}|[A-Z]{3}|kr\.?|zł|Kč|Ft|lei|TL)`
const amount = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,/*-])(?:[-+\u2212(]\s?)?(?:${mark}\s?)?(?:[-+\u2212]\s?)?(?:\d{1,3}(?:[.,'\u2019 ]\d{2,3})*|\d+)[.,]\d{2,3}(?:\s?(?:[-+\u2212](?=\s|$)|(?:CR|DR|Cr|Dr|C|D|H|S|DB)\b|${mark}(?=\s|$|\))))*\)?(?![\p{L}\p{N}.,/%*-])`,
  'gu',
)

/** The parts of a cell: amounts with decimals, each alone, and the texts between. */
export function splitAmounts({ text, left, right }: Cell): Array<Cell & { readonly isFigure: boolean }> {
  const at = (index: number) => left + ((right - left) * index) / text.length
  const part = (from: number, to: number, isFigure: boolean) => {
    const written = text.slice(from, to)
    const start = from + written.length - written.trimStart().length
    return { text: written.trim(), left: at(start), right: at(start + written.trim().length), isFigure }
  }
  const parts: Array<Cell & { readonly isFigure: boolean }> = []
  let end = 0
  for (const { 0: found, index } of text.length > 300 ? [] : text.matchAll(amount)) {
    if (!isAmount(found)) continue
    parts.push(part(end, index, false), part(index, index + found.length, true))
    end = index + found.length
  }
  return [...parts, part(end, text.length, false)].filter((one) => one.text !== '')
}

/** A row by what its texts are: the days at its start, amounts, and the other texts. */
export interface ReadRow extends TextRow {
  readonly days: ReadonlyArray<Cell & { readonly found: FoundDay }>
  readonly figures: readonly Cell[]
  readonly texts: readonly Cell[]
}

/** Reads a row. `isWhole`: amounts have no decimals, so that short numbers alone are amounts, too. */
export function toReadRow(row: TextRow, isWhole: boolean): ReadRow {
  const days: Array<Cell & { found: FoundDay }> = []
  const figures: Cell[] = []
  const texts: Cell[] = []
  for (const [index, cell] of row.cells.entries()) {
    let rest: Cell | undefined = cell
    for (let found = dayAt(cell.text); found && figures.length === 0 && index < 4; found = rest && dayAt(rest.text)) {
      if (texts.length > 2 || days.length > 2 || !rest) break
      const part: number = rest.left + ((rest.right - rest.left) * found.length) / rest.text.length
      days.push({ text: found.text, left: rest.left, right: part, found })
      const after: string = rest.text.slice(found.length).trim()
      rest = after === '' ? undefined : { text: after, left: part, right: rest.right }
    }
    if (!rest) continue
    const before = figures.at(-1)
    // A mark of its side can stand apart from its amount.
    if (before && /^(CR|DR|C|D|H|S|[-+])$/.test(rest.text) && rest.left - before.right < 3 * row.height)
      figures[figures.length - 1] = { ...before, text: `${before.text} ${rest.text}`, right: rest.right }
    else if (isWhole && days.length > 0 && /^\D{0,3}\d{1,3}\D{0,3}$/.test(rest.text) && readFigure(rest.text)) figures.push(rest)
    else for (const part of splitAmounts(rest)) (part.isFigure ? figures : texts).push(part)
  }
  return { ...row, days, figures, texts }
}

/** The height of a band in which a repeated row is, in points. */
const band = 6

/** Without rows that are at one place of more than half of the pages, whatever their numbers are, except the first and those that are kept. */
export function withoutFurniture(rows: readonly TextRow[], isKept: (row: TextRow) => boolean): TextRow[] {
  const all = new Set(rows.map(({ page }) => page)).size
  const keyOf = ({ base, cells }: TextRow) =>
    `${Math.round(base / band)} ${cells
      .map(({ text }) => text)
      .join(' ')
      .replaceAll(/\d+/g, '0')}`
  const places = new Map<string, { readonly line: number; readonly pages: Set<number> }>()
  for (const row of rows) {
    const place = places.get(keyOf(row)) ?? { line: row.line, pages: new Set() }
    place.pages.add(row.page)
    places.set(keyOf(row), place)
  }
  return rows.filter((row) => {
    const place = places.get(keyOf(row))
    return all < 2 || !place || place.pages.size * 2 <= all || place.line === row.line || isKept(row)
  })
}
