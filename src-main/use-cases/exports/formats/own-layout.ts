import { TextEncoder } from 'node:util'
import { guardFormula } from '#shared/domain/csv-cell'
import { bookedAgainstOf, settledByOf } from '#shared/domain/exports/bookings'
import { type CodedBy, type DayFormat, type LayoutColumn, type TableLayout, isDatevLayout } from '#shared/domain/exports/layout'
import { exportedInstants } from '#shared/records/exported-attributes'
import type { ExportRow } from '../export-rows'
import { countedMinor, toExported } from '../exported-expense'
import { toWindows } from './windows-text'
import type { FileContext, Format } from './format'
import { decimalOf, oneLine } from './journals'

type Facts = Readonly<Record<string, string | number | boolean | null>>

/**
 * What a layout can say of an expense; amounts as texts with the decimals of their currency. A layout is for accounting: whichever of
 * its amounts it names is the booked one.
 */
function factsOf(row: ExportRow): Facts {
  const { amount_minor, currency } = countedMinor(row.expense)
  const amount = decimalOf({ amount_minor, currency })
  return {
    ...toExported(row),
    amount,
    approved_amount: amount,
    counted_amount: amount,
    currency,
    approved_amount_currency: currency,
    counted_currency: currency,
    first_tag: row.tags[0] ?? null,
    booked_against: bookedAgainstOf(row.expense),
    settled_by: settledByOf(row.expense),
  }
}

const amounts: ReadonlySet<string> = new Set(['amount', 'approved_amount', 'counted_amount'])

function writeDay(instant: string, format: DayFormat): string {
  const [yyyy = '', mm = '', dd = ''] = instant.slice(0, 10).split('-')
  return format.replace('yyyy', yyyy).replace('mm', mm).replace('dd', dd)
}

/** The code of the first tag of an expense, of its claimant by e-mail address or name, or of what it is booked against; undefined where the table has none. */
export function codeOf(row: ExportRow, of: CodedBy, { codes }: Pick<TableLayout, 'codes'>): string | undefined {
  if (of === 'against') {
    const against = bookedAgainstOf(row.expense)
    return against === 'claimant' ? codeOf(row, against, { codes }) : codes.against?.[against]
  }
  const keys = of === 'tag' ? row.tags.slice(0, 1) : [row.receiver_email, row.receiver]
  const table = codes[of]
  const found = keys.find((key) => key !== null && Object.hasOwn(table, key))
  return found == null ? undefined : table[found]
}

function cellOf(row: ExportRow, column: LayoutColumn, { layout, facts }: { layout: TableLayout; facts: Facts }): string {
  if (column.kind === 'constant') return column.text
  if (column.kind === 'code') return codeOf(row, column.of, layout) ?? layout.otherwise
  const value = facts[column.attribute] ?? null
  if (value === null) return ''
  if (exportedInstants.has(column.attribute)) return writeDay(String(value), layout.days)
  const isNumber = amounts.has(column.attribute) || typeof value === 'number'
  return isNumber ? String(value).replace('.', layout.decimal) : String(value)
}

/** A cell that no spreadsheet runs, and that stays on its line. */
function quoted(cell: string, { separator, isQuoted }: TableLayout): string {
  const text = guardFormula(oneLine(cell))
  const needs = isQuoted || text.includes('"') || text.includes(separator) || /^\s|\s$/.test(text)
  return needs ? `"${text.replaceAll('"', '""')}"` : text
}

/** The lines of a file in a layout. */
export async function* layoutLines(rows: AsyncIterable<ExportRow> | Iterable<ExportRow>, layout: TableLayout): AsyncGenerator<string> {
  const line = (cells: readonly string[]) => `${cells.map((cell) => quoted(cell, layout)).join(layout.separator)}\r\n`
  if (layout.hasHeader) yield line(layout.columns.map(({ name }) => name))
  for await (const row of rows) {
    const facts = factsOf(row)
    yield line(layout.columns.map((column) => cellOf(row, column, { layout, facts })))
  }
}

const utf8 = new TextEncoder()

async function* writeLayout(rows: AsyncIterable<ExportRow>, { layout }: FileContext): AsyncGenerator<Uint8Array> {
  if (layout === null || isDatevLayout(layout)) throw new Error('An export in an own format lacks its layout.')
  for await (const line of layoutLines(rows, layout)) yield layout.encoding === 'utf-8' ? utf8.encode(line) : toWindows(line)
}

/** The file format of an organization's own. */
export const profile: Format = { extension: 'csv', content_type: 'text/csv', withReceipts: false, write: writeLayout }
