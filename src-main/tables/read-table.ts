import { decodeText } from './encodings'
import { readRecords } from './records'
import { UnreadableTable } from './table-reason'
import { type FormatOverrides, type TableFormat, detectFormat } from './table-format'
import type { TableReason } from './table-reason'
import type { TableSource } from './table-source'

/** A data row by column name. `line` is the physical line where it starts, counted from 1 with the header. */
export interface TableRow {
  kind: 'row'
  line: number
  fields: Record<string, string>
}

/** Files with more columns are not expenses or statements: each row would take as long as a file. */
const mostColumns = 1_000

/** How much of a malformed row's first field its problem carries. */
const longestStart = 60

/** A problem at a line; `column` is null if it concerns the whole line or file. */
export interface TableProblem {
  kind: 'problem'
  line: number
  column: string | null
  reason: TableReason
}

/** A readable file: its format, its column names as in {@link readTable}, and its rows and malformed lines. */
export interface Table {
  format: TableFormat
  headers: string[]
  /** Names of several columns. */
  repeated: string[]
  /** Rows and malformed lines in file order; each call reads the file again. */
  entries: () => Iterable<TableRow | TableProblem>
}

/**
 * Opens a delimited file. Lines with a wrong number of fields, broken quotes or invalid bytes are problems among the entries. Column names are
 * trimmed; a nameless column is `column N`, a repeated one `NAME (2)`. Skips blank lines. Throws {@link UnreadableTable} if the file is not text or
 * has too many columns.
 */
export function readTable(source: TableSource, overrides: FormatOverrides = {}): Table {
  const format = detectFormat(source, overrides)
  const names = readNames(source, format)
  if (names.length > mostColumns)
    throw new UnreadableTable([{ code: 'too_many_columns', params: { columns: names.length, most: mostColumns } }])
  const headers = toHeaders(names)
  const all = new Set(headers)
  const repeated = headers.filter((header) => all.has(`${header} (2)`))
  return { format, headers, repeated, entries: () => readEntries(source, format, headers) }
}

function readNames(source: TableSource, format: TableFormat): string[] {
  for (const record of readRecords(decodeText(source, format.encoding), format))
    if (record.kind === 'record' && record.line >= format.header_line) return record.fields
  return []
}

function* readEntries(source: TableSource, format: TableFormat, headers: string[]): Generator<TableRow | TableProblem> {
  let isBelowHeader = false
  const widthOf = () => (isBelowHeader ? headers.length : undefined)
  for (const record of readRecords(decodeText(source, format.encoding), format, widthOf)) {
    if (record.line < format.header_line) continue
    if (record.kind === 'problem') yield { ...record, column: null }
    else if (isBelowHeader) yield toEntry(record, headers, format)
    else isBelowHeader = true
  }
}

/** The fields of the first rows, for recognising columns. */
export function sampleRows({ entries }: Table, count = 100): Record<string, string>[] {
  const sample: Record<string, string>[] = []
  for (const entry of entries()) {
    if (entry.kind === 'row') sample.push(entry.fields)
    if (sample.length === count) break
  }
  return sample
}

function toHeaders(names: string[]): string[] {
  const seen = new Map<string, number>()
  return names.map((name, index) => {
    const header = name.trim() || `column ${String(index + 1)}`
    const times = (seen.get(header) ?? 0) + 1
    seen.set(header, times)
    return times === 1 ? header : `${header} (${String(times)})`
  })
}

function toEntry({ line, fields }: { line: number; fields: string[] }, headers: string[], format: TableFormat): TableRow | TableProblem {
  if (fields.length !== headers.length) {
    const reason = {
      code: 'width',
      params: { fields: fields.length, columns: headers.length, start: (fields[0] ?? '').trim().slice(0, longestStart) },
    }
    return { kind: 'problem', line, column: null, reason }
  }
  const garbled = fields.findIndex((field) => field.includes('\uFFFD'))
  if (garbled !== -1) {
    return { kind: 'problem', line, column: headers[garbled] ?? null, reason: { code: 'encoding', params: { encoding: format.encoding } } }
  }
  return { kind: 'row', line, fields: Object.fromEntries(headers.map((header, index) => [header, fields[index] ?? ''])) }
}
