import { exponentOf } from '#shared/domain/currencies'
import type { OtherList, TableFormat } from '#shared/domain/exports/exported-lists'
import { translate } from '#shared/i18n/translations'
import { writeCsv, writeJson } from '#main/tables/write-table'
import { type Sheet, type SheetCell, writeWorkbook } from '#main/tables/write-xlsx'
import type { FileContext } from '../formats/format'
import { addTo, sumCell, toAmountCell, type SumsByCurrency } from '../formats/sums'
import type { ListColumn } from './list-columns'
import { type ListedRecord, columnsOfList } from './read-list'

type Context = Pick<FileContext, 'locale' | 'saysEmpty' | 'decimal'>

/** The records; where there are none and the file is for a person, a line that says so. */
async function* orNote(
  records: AsyncIterable<ListedRecord>,
  names: readonly string[],
  { saysEmpty, locale }: Context,
): AsyncGenerator<ListedRecord> {
  let isEmpty = true
  for await (const record of records) {
    isEmpty = false
    yield record
  }
  if (isEmpty && saysEmpty) yield { [names[0] ?? '']: translate(locale, 'exports:file.nothingListed') }
}

/** Writes the records of a list as a table, in chunks. */
export function writeList(
  records: AsyncIterable<ListedRecord>,
  { list, format, ...context }: { list: OtherList; format: TableFormat } & Context,
): AsyncIterable<string | Uint8Array> {
  const columns = columnsOfList(list)
  const names = columns.map(({ name }) => name)
  if (format === 'json') return writeJson(records)
  if (format === 'csv') return writeCsv(orNote(records, names, context), names, context.decimal)
  return writeWorkbook(sheetsOf(records, { list, columns, context }))
}

function toCell({ name, kind, currency = '' }: ListColumn, record: ListedRecord): SheetCell {
  const value = record[name]
  if (kind === 'amount') return toAmountCell(value, record[currency])
  if (kind === 'instant' && typeof value === 'string') return { value: new Date(value), format: 'yyyy-mm-dd hh:mm:ss' }
  return value
}

/** The records, and where they have an amount, how many there are in each currency and their sum. */
function sheetsOf(
  records: AsyncIterable<ListedRecord>,
  { list, columns, context }: { list: OtherList; columns: readonly ListColumn[]; context: Context },
): Sheet[] {
  const names = columns.map(({ name }) => name)
  const t = (key: string) => translate(context.locale, `exports:${key}`)
  const sums: SumsByCurrency = new Map()
  async function* toRows(): AsyncGenerator<SheetCell[]> {
    for await (const record of orNote(records, names, context)) {
      add(sums, record)
      const hasNote = !('id' in record) || typeof record.id === 'string'
      yield hasNote ? [record.id] : columns.map((column) => toCell(column, record))
    }
  }
  const rows: Sheet = { name: t(`lists.${list}`).slice(0, 31), headers: () => names, rows: toRows }
  if (!columns.some(({ name, kind }) => name === 'amount' && kind === 'amount')) return [rows]
  const totals: Sheet = {
    name: t('file.totals'),
    headers: () => [t('file.currency'), t('file.rows'), t('file.sum')],
    widths: [12, 12, 20],
    rows: function* () {
      for (const [currency, { count }] of [...sums].toSorted(([a], [b]) => a.localeCompare(b)))
        yield [currency, count, sumCell(sums, currency)]
    },
  }
  return [rows, totals]
}

function add(sums: SumsByCurrency, { amount, currency }: ListedRecord): void {
  if (typeof amount !== 'number' || typeof currency !== 'string') return
  addTo(sums, { amount_minor: Math.round(amount * 10 ** exponentOf(currency)), currency })
}
