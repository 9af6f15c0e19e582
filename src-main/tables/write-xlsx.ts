import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { Lifetime } from '#main/lifetime'
import type { Cell, RowSource } from './write-table'
import { contentTypes, packageLinks, sheetEnd, sheetStart, styleSheet, workbook, workbookLinks } from './xlsx-parts'

/** A cell of a sheet: a plain value, or a number or instant (UTC) in one of Excel's number formats. */
export type SheetCell = Cell | { readonly value: number | Date; readonly format: string }

/** A sheet of a workbook; its rows are read when it is written. */
export interface Sheet {
  readonly name: string
  /** The cells of the first row; called when the sheet is written. */
  readonly headers: () => readonly string[]
  /** Widths of columns in characters; the others have the default width. */
  readonly widths?: readonly number[]
  readonly rows: () => RowSource<readonly SheetCell[]>
}

/** There are more rows than an Excel sheet can have. */
export class SheetTooLong extends Error {
  constructor() {
    super(`There are more than ${mostRows} rows, the most that a sheet has. Narrow them with --q, or use csv.`)
  }
}

/** The most rows of a sheet, without its header. */
const mostRows = 1_048_575
/** The most UTF-16 units that Excel takes in a cell. */
const longestText = 32_767
/** Days are counted from here, as Excel has a 29 February 1900. */
const dayZero = Date.UTC(1899, 11, 30)
const dayMs = 24 * 60 * 60 * 1000
const chunkLength = 64 * 1024

/**
 * Writes an Excel workbook row by row, with only one row in memory. A sheet's header is bold, always visible, and filters its rows. Numbers stay
 * numbers and texts stay texts, so none runs as a formula.
 * @throws SheetTooLong
 */
export async function* writeWorkbook(sheets: readonly Sheet[]): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const styles = new Map<string, number>()
  const styleOf = (format: string) => {
    const known = styles.get(format)
    if (known !== undefined) return known
    styles.set(format, styles.size + 2)
    return styles.size + 1
  }
  const lifetime = new Lifetime<Error>()
  const noteError = (error: Error) => lifetime.end(error)
  zip.on('error', noteError)
  let part: Readable | undefined
  const add = (path: string, text: () => RowSource<string>) =>
    zip.addReadStreamLazy(path, { compressionLevel: 3 }, (done) => {
      // The zip has no error listener: without this, rows that cannot be read would end the process.
      part = Readable.from(inChunks(text()), { objectMode: false }).on('error', noteError)
      done(null, part)
    })
  const names = sheets.map(({ name }) => name)
  add('[Content_Types].xml', () => [contentTypes(names.length)])
  add('_rels/.rels', () => [packageLinks])
  add('xl/workbook.xml', () => [workbook(names.map(escapeXml))])
  add('xl/_rels/workbook.xml.rels', () => [workbookLinks(names.length)])
  for (const [index, sheet] of sheets.entries()) add(`xl/worksheets/sheet${index + 1}.xml`, () => sheetLines(sheet, styleOf))
  // The last part: now every format is known.
  add('xl/styles.xml', () => [styleSheet([...styles.keys()].map(escapeXml))])
  zip.end()
  const chunks = Readable.from(zip.outputStream)[Symbol.asyncIterator]()
  // A reader that closes early ends the part that is being written.
  try {
    for (;;) {
      const next = await lifetime.during(chunks.next())
      if (next instanceof Error) throw next
      if (next.done === true) break
      yield next.value
    }
  } finally {
    void chunks.return?.()
    part?.destroy()
  }
}

async function* inChunks(lines: RowSource<string>): AsyncGenerator<Uint8Array> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < chunkLength) continue
    yield Buffer.from(chunk)
    chunk = ''
  }
  if (chunk !== '') yield Buffer.from(chunk)
}

async function* sheetLines({ headers, widths = [], rows }: Sheet, styleOf: (format: string) => number): AsyncGenerator<string> {
  yield sheetStart(widths)
  let at = 1
  const titles = headers()
  yield `<row r="1">${titles.map((header, index) => textCell(header, `r="${columnName(index)}1" s="1"`)).join('')}</row>`
  for await (const row of rows()) {
    at += 1
    if (at > mostRows + 1) throw new SheetTooLong()
    yield `<row r="${at}">${row.map((cell, index) => toCell(cell, `r="${columnName(index)}${at}"`, styleOf)).join('')}</row>`
  }
  yield sheetEnd(`A1:${columnName(Math.max(0, titles.length - 1))}${at}`)
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** A, B, … Z, AA, AB, … */
function columnName(index: number): string {
  return (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + letters.charAt(index % 26)
}

/** A cell as XML; an absent one is left out. */
function toCell(cell: SheetCell, place: string, styleOf: (format: string) => number): string {
  if (cell === null || cell === undefined || cell === '') return ''
  if (typeof cell === 'string') return textCell(cell, place)
  if (typeof cell === 'boolean') return `<c ${place} t="b"><v>${cell ? 1 : 0}</v></c>`
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  const { value, format } = cell
  const number = typeof value === 'number' ? value : (value.getTime() - dayZero) / dayMs
  return `<c ${place} s="${styleOf(format)}"><v>${number}</v></c>`
}

function textCell(text: string, place: string): string {
  return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escapeXml(text.slice(0, longestText))}</t></is></c>`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for the format: characters that XML cannot contain become `_xHHHH_`, and so does text that looks like that already. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"]/g, (sign) => entities[sign] ?? sign)
    .replace(
      /[\0-\x08\x0b\x0c\x0d\x0e-\x1f\ufffe\uffff]/g,
      (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
}
