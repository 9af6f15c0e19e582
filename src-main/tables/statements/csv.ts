import { exponentOf, isCurrency } from '#shared/domain/currencies'
import type { MappedColumn, StatementMapping } from '#shared/domain/statements/mapping'
import { type Encoding, decodeText } from '../encodings'
import type { DateOrder } from '../detect-values'
import { readRecords } from '../records'
import { type Table, readTable, sampleRows } from '../read-table'
import { type TableReason, UnreadableTable } from '../table-reason'
import type { TableSource } from '../table-source'
import { findColumns } from './csv-columns'
import type { HeadRecord, HeadedTable, WholeMapping } from './csv-rows'
import { isDayText } from './days'
import { toNumberText } from './figures'
import { columnsNamed } from './headings'
import { type Decided, decideDecimal, decideOrder, memoryNote } from './value-evidence'

/** The number of rows from which columns, and days' and amounts' formats, are detected. */
const sampled = 2_000
/** A table with more columns is not looked for below its first lines. */
const mostNamed = 100
/** The records in which a head and the names of columns are. */
const headRecords = 60

/** A delimited statement: its columns and mapping, or what could not be decided. */
export interface DelimitedStatement extends HeadedTable {
  readonly encoding: Encoding
  readonly mapping: StatementMapping
  readonly whole: WholeMapping | undefined
  readonly undecided: ReadonlyArray<{ readonly code: string; readonly column: string }>
  readonly notes: readonly TableReason[]
}

/** What is known of how a file is read: what a person chose, the card's earlier files of this format, and the currency of lines that state none. */
export interface KnownOfFile {
  readonly chosen: StatementMapping
  readonly kept: StatementMapping
  readonly currency: string
}

/** A table whose columns are to be found, with what is above it. */
export interface OpenedTable extends Pick<DelimitedStatement, 'table' | 'encoding' | 'head' | 'later'> {
  /** The order of its days, where they do not say it alone. */
  readonly order?: Decided<DateOrder>
}

/** Finds the columns of a statement that is a table, and how it writes its values. Throws {@link UnreadableTable}. */
export function openDelimited(
  { table, encoding, head, later = [], order: decided }: OpenedTable,
  { chosen, kept, currency }: KnownOfFile,
): DelimitedStatement {
  if (table.headers.length < 2) throw new UnreadableTable([{ code: 'no_statement' }])
  const rows = sampleRows(table, sampled)
  const { delimiter } = table.format
  const exponent = isCurrency(currency) ? exponentOf(currency) : 2
  const decimalOf = (cells: readonly string[]) => decideDecimal(cells, exponent, { chosen: chosen.decimal, kept: kept.decimal, delimiter })
  const columns = findColumns(table.headers, rows, { chosen, kept, decimalOf: (cells) => decimalOf(cells).value ?? '.' })
  const { day, amount, debit, credit, balance } = columns.columns
  const money = [amount, debit, credit, balance].filter((name) => name !== undefined)
  const order =
    decided ??
    decideOrder(day === undefined ? [] : rows.map((row) => row[day] ?? ''), {
      ...{ chosen: chosen.date_order, kept: kept.date_order, delimiter },
    })
  const decimal = decimalOf(rows.flatMap((row) => money.map((name) => toNumberText(row[name] ?? ''))))
  const hasMoney = amount !== undefined || debit !== undefined || credit !== undefined
  const undecided = [
    ...(day === undefined ? [{ code: 'missing_column', column: 'day' }] : []),
    ...(hasMoney ? [] : [{ code: columns.isOpen ? 'statement_amounts' : 'missing_column', column: 'amount' }]),
    ...(day !== undefined && order.value === undefined ? [{ code: 'statement_days', column: day }] : []),
    ...(decimal.value === undefined ? [{ code: 'statement_decimals', column: money[0] ?? '' }] : []),
  ]
  const mapping: StatementMapping = {
    ...columns.columns,
    ...(day !== undefined && order.value && { date_order: order.value }),
    ...(decimal.value && { decimal: decimal.value }),
  }
  const notes = [
    ...(order.disagrees ? [memoryNote('date_order', mapping)] : []),
    ...(decimal.disagrees ? [memoryNote('decimal', mapping)] : []),
    ...(columns.disagrees ? [memoryNote('columns', mapping)] : []),
  ]
  const { text = [], date_order, decimal: sign } = mapping
  const whole =
    day !== undefined && undecided.length === 0 && date_order && sign ? { ...mapping, text, day, date_order, decimal: sign } : undefined
  return { table, encoding, head, later, mapping: { ...mapping, text }, whole, undecided, notes }
}

/** The table below its head. A file whose first row is a booking gets names for its columns. */
export function openTable(source: TableSource): OpenedTable {
  const first = readTable(source)
  const { delimiter, encoding, header_line } = first.format
  const head: HeadRecord[] = []
  let named: { readonly line: number; readonly at: number } | undefined
  for (const record of readRecords(decodeText(source, encoding), { delimiter, quote: '"' })) {
    if (head.length === headRecords) break
    if (record.kind !== 'record') continue
    if (!named && namesColumns(record.fields)) named = { line: record.line, at: head.length }
    head.push({ line: record.line, fields: record.fields })
  }
  // A head can be as wide as the table; a table that names its columns begins there.
  if (named && named.line !== header_line && !head.slice(0, named.at).some(({ fields }) => isBooking(fields)))
    return { ...withHeader(source, { first, head, named }), encoding, head: head.slice(0, named.at) }
  const above = head.filter(({ line }) => line < header_line)
  const isNameless = first.headers.some(isDayText) && !named
  const names = first.headers.map((_, index) => `column ${index + 1}`)
  return { table: isNameless ? withNames(source, first, { names, from: header_line }) : first, encoding, head: above }
}

/** The table whose columns are named on this line. Rows may have more delimiters at their end than the names. */
function withHeader(
  source: TableSource,
  { first, head, named }: { first: Table; head: readonly HeadRecord[]; named: { readonly line: number; readonly at: number } },
): { table: Table } {
  const { delimiter, encoding } = first.format
  const names = head[named.at]?.fields ?? []
  const row = head[named.at + 1]?.fields ?? []
  const isLonger = row.length > names.length && row.slice(names.length).every((field) => field.trim() === '')
  if (!isLonger) return { table: readTable(source, { delimiter, encoding, header_line: named.line }) }
  const all = row.map((_, index) => names[index] ?? `column ${index + 1}`)
  return { table: withNames(source, first, { names: all, from: named.line + 1 }) }
}

const namesColumns = (fields: readonly string[]) => {
  const names = (field: MappedColumn) => columnsNamed(field, fields).length > 0
  return (
    fields.length > 1 &&
    fields.length <= mostNamed &&
    !fields.some(isDayText) &&
    names('day') &&
    (['amount', 'debit', 'credit'] as const).some(names)
  )
}
const isBooking = (fields: readonly string[]) =>
  fields.some(isDayText) && fields.filter((field) => /\d[.,]\d\d\D*$/.test(field)).length > 0 && fields.length > 3

/** A table with these names of columns and with its rows from a line on. */
function withNames(
  source: TableSource,
  { format: { delimiter, encoding } }: Table,
  { names, from }: { names: readonly string[]; from: number },
): Table {
  const encoder = new TextEncoder()
  const opened = readTable(
    function* () {
      yield encoder.encode(`${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(delimiter)}\n`)
      for (const text of decodeText(source, encoding)) yield encoder.encode(text)
    },
    { delimiter, encoding: 'utf-8', header_line: 1 },
  )
  return {
    ...opened,
    entries: function* () {
      for (const entry of opened.entries()) if (entry.line > from) yield { ...entry, line: entry.line - 1 }
    },
  }
}
