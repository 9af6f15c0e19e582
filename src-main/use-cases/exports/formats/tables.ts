import { translate } from '#shared/i18n/translations'
import { exportedColumns, exportedInstants } from '#shared/records/exported-attributes'
import { writeCsv, writeJson } from '#main/tables/write-table'
import { type Sheet, type SheetCell, writeWorkbook } from '#main/tables/write-xlsx'
import type { ExportRow } from '../export-rows'
import { toExported } from '../exported-expense'
import type { FileContext, Format } from './format'
import { ExportSums, type SumsByCurrency, sumCell, toAmountCell } from './sums'

type Cells = Readonly<Record<string, string | number | boolean | null>>

async function* toCells(rows: AsyncIterable<ExportRow>): AsyncGenerator<Cells> {
  for await (const row of rows) yield toExported(row)
}

/** The rows; where there are none and the file is for a person, one that says so. */
async function* orNote(rows: AsyncIterable<Cells>, { saysEmpty, locale }: FileContext): AsyncGenerator<Cells> {
  let isEmpty = true
  for await (const row of rows) {
    isEmpty = false
    yield row
  }
  if (isEmpty && saysEmpty) yield { [exportedColumns[0] ?? '']: translate(locale, 'exports:file.nothing') }
}

/** A table with a row for each expense, for spreadsheets and scripts. */
export const csv: Format = {
  extension: 'csv',
  content_type: 'text/csv',
  withReceipts: false,
  write: (rows, context) => writeCsv(orNote(toCells(rows), context), exportedColumns, context.decimal),
}

/** The same as an array of objects. */
export const json: Format = {
  extension: 'json',
  content_type: 'application/json',
  withReceipts: false,
  write: (rows) => writeJson(toCells(rows)),
}

/** The same as a workbook: a sheet of expenses, and sums by currency, tag and claimant. */
export const xlsx: Format = {
  extension: 'xlsx',
  content_type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  withReceipts: false,
  write: (rows, context) => writeWorkbook(sheetsOf(rows, context)),
}

/** The widths of columns, in characters; names and texts need more than codes and numbers. */
const widths = exportedColumns.map((name) =>
  /description|tags|justification/.test(name)
    ? 40
    : /organization|receiver|name|location/.test(name)
      ? 26
      : exportedInstants.has(name)
        ? 19
        : 14,
)

function sheetsOf(rows: AsyncIterable<ExportRow>, context: FileContext): Sheet[] {
  const sums = new ExportSums()
  const t = (key: string) => translate(context.locale, `exports:file.${key}`)
  const expenses = orNote(toCells(sums.over(rows)), context)
  return [
    {
      name: translate(context.locale, 'exports:lists.expenses'),
      headers: () => exportedColumns,
      widths,
      rows: () => toSheetRows(expenses),
    },
    {
      name: t('totals'),
      headers: () => [t('currency'), t('count'), t('claimed'), t('counted')],
      widths: [12, 12, 20, 20],
      rows: () => totalRows(sums),
    },
    pivot(t('byTag'), t('tag'), { sums, groups: sums.byTag, none: t('untagged') }),
    pivot(t('byClaimant'), t('claimant'), { sums, groups: sums.byClaimant, none: '' }),
  ]
}

async function* toSheetRows(rows: AsyncIterable<Cells>): AsyncGenerator<SheetCell[]> {
  const cellOf = (row: Cells, name: string): SheetCell => {
    const value = row[name]
    if (exportedInstants.has(name) && typeof value === 'string') return { value: new Date(value), format: 'yyyy-mm-dd hh:mm:ss' }
    if (name === 'amount') return toAmountCell(value, row.currency)
    if (name === 'approved_amount') return toAmountCell(value, row.approved_amount_currency)
    return value
  }
  for await (const row of rows) yield exportedColumns.map((name) => cellOf(row, name))
}

function* totalRows(sums: ExportSums): Generator<SheetCell[]> {
  for (const currency of [...new Set([...sums.claimed.keys(), ...sums.counted.keys()])].toSorted())
    yield [currency, sums.claimed.get(currency)?.count ?? 0, sumCell(sums.claimed, currency), sumCell(sums.counted, currency)]
}

/** A sheet with a row for each group and a column for each currency. Which currencies there are is known once all expenses have passed. */
function pivot(
  name: string,
  label: string,
  { sums, groups, none }: { sums: ExportSums; groups: ReadonlyMap<string, SumsByCurrency>; none: string },
): Sheet {
  return {
    name,
    headers: () => [label, ...sums.currencies()],
    widths: [32],
    rows: function* () {
      const currencies = sums.currencies()
      for (const [key, own] of [...groups].toSorted(([a], [b]) => a.localeCompare(b)))
        yield [key === '' ? none : key, ...currencies.map((currency) => sumCell(own, currency))]
    },
  }
}
