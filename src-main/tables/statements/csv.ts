import type { StatementMapping } from '#shared/domain/statements/mapping'
import { type DateOrder, type DecimalSign, detectDateOrder, detectDecimal, parseDay, parseDecimal } from '../detect-values'
import { type Table, readTable, sampleRows } from '../read-table'
import { UnreadableTable } from '../table-reason'
import type { TableSource } from '../table-source'
import { guessColumns, toDayText, toNumberText } from './csv-columns'
import { type Booking, type StatementEntry, joinTexts, problemAt } from './entry'

const orders: readonly DateOrder[] = ['dmy', 'mdy', 'ymd']

/** The number of rows from which days' and amounts' formats are detected. */
const sampled = 2_000

/** A mapping whose columns are in the file. */
export type WholeMapping = StatementMapping & Required<Pick<StatementMapping, 'day' | 'text' | 'date_order' | 'decimal'>>

/** A delimited statement: its columns and mapping, or what could not be decided. */
export interface DelimitedStatement {
  readonly table: Table
  readonly mapping: StatementMapping
  readonly whole: WholeMapping | undefined
  readonly undecided: ReadonlyArray<{ readonly code: string; readonly column: string }>
}

/** Opens a delimited statement; the mapping takes precedence where the file has its columns. Throws {@link UnreadableTable}. */
export function openDelimited(source: TableSource, stated: StatementMapping): DelimitedStatement {
  const table = withHeader(readTable(source), source)
  if (table.headers.length < 2) throw new UnreadableTable([{ code: 'no_statement' }])
  const columns = guessColumns(table, stated)
  const { day, amount, debit, credit } = columns
  const missing = [
    ...(day === undefined ? ['day'] : []),
    ...(amount === undefined && debit === undefined && credit === undefined ? ['amount'] : []),
  ].map((column) => ({ code: 'missing_column', column }))
  const rows = sampleRows(table, sampled)
  const cells = (...names: ReadonlyArray<string | undefined>) =>
    rows.flatMap((row) => names.map((name) => (name === undefined ? '' : toNumberText(row[name] ?? ''))))
  const { delimiter } = table.format
  const date_order =
    stated.date_order ??
    (day === undefined
      ? undefined
      : detectDateOrder(
          rows.map((row) => toDayText(row[day] ?? '')),
          delimiter,
        ))
  const decimal = stated.decimal ?? detectDecimal(cells(amount, debit, credit), delimiter)
  const undecided = [
    ...missing,
    ...(day !== undefined && date_order === undefined ? [{ code: 'statement_days', column: day }] : []),
    ...(decimal === undefined ? [{ code: 'statement_decimals', column: amount ?? debit ?? '' }] : []),
  ]
  const mapping = {
    ...columns,
    text: columns.text ?? [],
    ...(date_order && { date_order }),
    ...(decimal && { decimal }),
    ...(stated.spent && { spent: stated.spent }),
  }
  const whole = day !== undefined && undecided.length === 0 && date_order && decimal ? { ...mapping, day, date_order, decimal } : undefined
  return { table, mapping, whole, undecided }
}

/** Names the columns if the first line is a booking already: in a file without a header, a cell of it is a day. */
function withHeader(table: Table, source: TableSource): Table {
  const isRow = table.headers.some((name) => orders.some((way) => parseDay(toDayText(name), way) !== undefined))
  if (!isRow || table.format.encoding.startsWith('utf-16') || table.format.encoding.startsWith('utf-32')) return table
  const { delimiter, encoding } = table.format
  const names = table.headers.map((_, index) => `column ${index + 1}`)
  const head = new TextEncoder().encode(`${names.join(delimiter)}\n`)
  const opened = readTable(
    function* () {
      yield head
      yield* source()
    },
    { delimiter, encoding, header_line: 1 },
  )
  return {
    ...opened,
    entries: function* () {
      for (const entry of opened.entries()) yield { ...entry, line: entry.line - 1 }
    },
  }
}

/** The rows of a delimited statement. */
export function* readDelimited({ entries }: Table, mapping: WholeMapping): Generator<StatementEntry> {
  for (const entry of entries()) {
    if (entry.kind === 'problem') yield { kind: 'problem', line: entry.line, reason: entry.reason }
    else yield toBooking(entry.line, entry.fields, mapping)
  }
}

function toBooking(line: number, fields: Readonly<Record<string, string>>, mapping: WholeMapping): StatementEntry {
  const cell = (name: string | undefined) => (name === undefined ? '' : (fields[name] ?? '').trim())
  const day = parseDay(toDayText(cell(mapping.day)), mapping.date_order)
  if (day === undefined) return problemAt(line, 'no_day', { text: cell(mapping.day) })
  const money = readMoney(cell, mapping)
  if (money === undefined)
    return problemAt(line, 'no_amount', { text: cell(mapping.amount) || cell(mapping.debit) || cell(mapping.credit) })
  const currency = (name: string | undefined) => /^[A-Za-z]{3}$/.exec(cell(name))?.[0].toUpperCase() ?? null
  return {
    ...{ kind: 'booking', line, day, type: null, ...money },
    currency: currency(mapping.currency),
    text: joinTexts(...mapping.text.map(cell)),
    reference: cell(mapping.reference) || null,
    original: originalOf(currency(mapping.original_currency), cell(mapping.original_amount), mapping.decimal),
  }
}

function readMoney(
  cell: (name: string | undefined) => string,
  { amount, debit, credit, decimal }: WholeMapping,
): Pick<Booking, 'amount' | 'direction'> | undefined {
  const read = (text: string) => (text === '' ? undefined : parseDecimal(toNumberText(text), decimal))
  if (amount !== undefined) {
    const value = read(cell(amount))
    return value === undefined ? undefined : { amount: value, direction: null }
  }
  const out = read(cell(debit))
  if (out !== undefined && !isZero(out)) return { amount: `-${out.replace('-', '')}`, direction: 'out' }
  const into = read(cell(credit))
  return into === undefined ? undefined : { amount: into.replace('-', ''), direction: 'in' }
}

const isZero = (decimal: string) => /^-?0(\.0*)?$/.test(decimal)

function originalOf(currency: string | null, amount: string, decimal: DecimalSign): Booking['original'] {
  if (currency === null) return null
  return { amount: parseDecimal(toNumberText(amount), decimal)?.replace('-', '') ?? null, currency, rate: null }
}
