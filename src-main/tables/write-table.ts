import { type CsvDecimal, csvSeparator, toCsvCell } from '#shared/domain/csv-cell'

/** A value a cell can hold. */
export type Cell = string | number | boolean | null | undefined

/** Rows from a store's cursor or an array. */
export type RowSource<Row> = AsyncIterable<Row> | Iterable<Row>

/** Characters per chunk: large enough to be worth a write. */
const CHUNK_LENGTH = 32_768

/**
 * Writes rows as CSV (RFC 4180: CRLF, quotes where needed) in chunks of text; the first has a byte order mark, so that spreadsheets read UTF-8.
 * Columns have the order of `headers`; an absent or null value is an empty cell. Text cells cannot run as formulas (see `guardFormula`).
 */
export function writeCsv<Header extends string>(
  rows: RowSource<Readonly<Partial<Record<Header, Cell>>>>,
  headers: readonly Header[],
  decimal?: CsvDecimal,
): AsyncGenerator<string> {
  return inChunks(csvLines(rows, headers, decimal))
}

/** Writes rows as one JSON array, one row per line, in chunks of text. */
export function writeJson(rows: RowSource<unknown>): AsyncGenerator<string> {
  return inChunks(jsonLines(rows))
}

async function* csvLines<Header extends string>(
  rows: RowSource<Readonly<Partial<Record<Header, Cell>>>>,
  headers: readonly Header[],
  decimal?: CsvDecimal,
): AsyncGenerator<string> {
  const line = (cells: readonly Cell[]) => `${cells.map((cell) => toCsvCell(cell, decimal)).join(csvSeparator(decimal))}\r\n`
  yield `\uFEFF${line(headers)}`
  for await (const row of rows) yield line(headers.map((header) => row[header]))
}

async function* jsonLines(rows: RowSource<unknown>): AsyncGenerator<string> {
  let before = '[\n'
  for await (const row of rows) {
    yield before + JSON.stringify(row)
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function* inChunks(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let chunk = ''
  for await (const line of lines) {
    chunk += line
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
