import { readRecords } from './records'
import { decodeTable } from './table-format'
import type { FormatOverrides, TableFormat } from './table-format'

/** A data row by column name. `line` is the physical line where it starts, from 1, the header's included. */
export interface TableRow {
  kind: 'row'
  line: number
  fields: Record<string, string>
}

/** What is wrong at a line; `column` is null when the whole line or file is meant. */
export interface TableProblem {
  kind: 'problem'
  line: number
  column: string | null
  reason: string
}

/** A file read: how it was written, its column names, and its rows and malformed lines in file order. */
export interface Table {
  format: TableFormat
  headers: string[]
  entries: (TableRow | TableProblem)[]
}

/**
 * Reads a delimited file. Never throws on what the file holds: a line with the wrong number of fields, broken
 * quotes or bytes that are not of the encoding is a problem among the entries. Column names are trimmed; a
 * nameless one is `column N`, a repeated one `NAME (2)`. Blank lines are left out.
 */
export function readTable(bytes: Uint8Array, overrides: FormatOverrides = {}): Table {
  const { format, text } = decodeTable(bytes, overrides)
  const entries: Table['entries'] = []
  let headers: string[] | undefined
  for (const record of readRecords(text, format)) {
    if (record.line < format.header_line) continue
    if (record.kind === 'problem') entries.push({ ...record, column: null })
    else if (headers === undefined) headers = toHeaders(record.fields)
    else entries.push(toEntry(record, headers, format))
  }
  return { format, headers: headers ?? [], entries }
}

/** The fields of the first rows, to recognise columns by. */
export function sampleRows(table: Table, count = 100): Record<string, string>[] {
  return table.entries
    .filter((entry) => entry.kind === 'row')
    .slice(0, count)
    .map((row) => row.fields)
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

function toEntry(
  { line, fields }: { line: number; fields: string[] },
  headers: string[],
  format: TableFormat,
): TableRow | TableProblem {
  if (fields.length !== headers.length) {
    const reason = `has ${String(fields.length)} fields where the header has ${String(headers.length)}`
    return { kind: 'problem', line, column: null, reason }
  }
  const garbled = fields.findIndex((field) => field.includes('\uFFFD'))
  if (garbled !== -1) {
    return { kind: 'problem', line, column: headers[garbled] ?? null, reason: `has bytes that are not ${format.encoding}` }
  }
  return { kind: 'row', line, fields: Object.fromEntries(headers.map((header, index) => [header, fields[index] ?? ''])) }
}
