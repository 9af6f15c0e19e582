import { DomainError } from '#shared/domain/errors'
import { formatAmount } from '#shared/domain/money'
import { translate } from '#shared/i18n/translations'
import type { ExportRow } from '../../export-rows'
import { countedMinor } from '../../exported-expense'
import type { FileContext } from '../format'
import { dayOf, purchaseOf } from '../journals'
import { ExportSums, type SumsByCurrency } from '../sums'
import { type Column, TextPages, drawNames, drawRow } from '#main/files/pages/draw'
import { PdfStream } from './pdf-stream'
import { type NumberedReceipt, writeReceipts } from './receipt-pages'

/** A document of more is no use to a reader, and its table no longer fits into memory. */
const mostExpenses = 20_000
/** Receipts are written together: each part has its fonts. */
const receiptsAPart = 20
const bytesAPart = 16 * 1024 * 1024

const columns: readonly Column[] = [
  { x: 40, width: 40 },
  { x: 84, width: 48 },
  { x: 136, width: 84 },
  { x: 224, width: 144 },
  { x: 378, width: 70 },
  { x: 452, width: 103, alignEnd: true },
]

const total = (sums: SumsByCurrency, locale: string) =>
  [...sums]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([currency, { minor }]) => formatAmount({ amount_minor: Number(minor), currency, locale }))
    .join(' · ')

const shownAmount = (row: ExportRow, locale: string) => formatAmount({ ...countedMinor(row.expense), locale })

function drawCover(pages: TextPages, rows: readonly ExportRow[], { sums, context }: { sums: ExportSums; context: FileContext }): void {
  const { locale, title, made_at, made_by } = context
  const t = (key: string) => translate(locale, `exports:file.${key}`)
  const fact = (name: string, value: string) => {
    if (value === '') return
    pages.paragraph(name, { size: 8, color: '#666666' })
    pages.paragraph(value, { size: 12 })
    pages.down(8)
  }
  pages.newPage()
  pages.down(80)
  pages.paragraph(t('title'), { size: 26, isBold: true })
  pages.down(24)
  const days = rows.map((row) => dayOf(row)).toSorted()
  fact(t('asked'), title ?? t('everything'))
  fact(t('organization'), [...new Set(rows.map(({ organization }) => organization))].join(', '))
  fact(t('days'), days.length === 0 ? '' : `${days[0]} – ${days.at(-1)}`)
  fact(t('count'), String(rows.length))
  fact(t('counted'), total(sums.counted, locale))
  fact(t('claimed'), total(sums.claimed, locale))
  fact(t('receipts'), String(rows.reduce((sum, { receipts }) => sum + receipts.length, 0)))
  fact(t('made'), [made_by, `${made_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`].filter(Boolean).join(', '))
  if (rows.length === 0) pages.paragraph(t('nothing'), { size: 14 })
}

function drawTable(pages: TextPages, rows: readonly ExportRow[], { sums, context }: { sums: ExportSums; context: FileContext }): void {
  const { locale } = context
  for (const row of rows) {
    const { expense, receiver, tags } = row
    drawRow(pages, columns, [
      ...[String(expense.id), dayOf(row), receiver, purchaseOf(expense), tags.join(', ')],
      `${shownAmount(row, locale)} · ${translate(locale, `status:${expense.status}`)}`,
    ])
  }
  pages.down(6)
  pages.rule()
  for (const [currency, { count, minor }] of [...sums.counted].toSorted(([a], [b]) => a.localeCompare(b)))
    drawRow(pages, columns, ['', '', '', currency, String(count), formatAmount({ amount_minor: Number(minor), currency, locale })])
}

/** The cover and the table. */
async function writeFront(stream: PdfStream, rows: readonly ExportRow[], context: FileContext): Promise<Uint8Array> {
  const sums = new ExportSums()
  for (const row of rows) sums.add(row)
  const t = (key: string) => translate(context.locale, `exports:file.${key}`)
  const names = [t('number'), t('day'), t('claimant'), t('description'), t('tag'), t('counted')]
  const cover = new TextPages(t('title'))
  drawCover(cover, rows, { sums, context })
  const table = new TextPages(t('title'), (pages) => drawNames(pages, columns, names))
  if (rows.length > 0) drawTable(table, rows, { sums, context })
  const part = await stream.part()
  for (const pages of rows.length > 0 ? [cover, table] : [cover]) {
    const drawn = await pages.end()
    for (const copied of await part.copyPages(drawn, drawn.getPageIndices())) part.addPage(copied)
  }
  return stream.write(part)
}

/** A document to read and to keep: a cover with what was asked for and the sums, a table, and each receipt on its pages. */
export async function* writePdf(rows: AsyncIterable<ExportRow>, context: FileContext): AsyncGenerator<Uint8Array> {
  const all: ExportRow[] = []
  for await (const row of rows) {
    if (all.length === mostExpenses) throw new DomainError({ kind: 'not_possible', code: 'export.too_long_for_pdf' })
    all.push(row)
  }
  const stream = new PdfStream(translate(context.locale, 'exports:file.title'))
  yield stream.begin()
  yield await writeFront(stream, all, context)
  let waiting: NumberedReceipt[] = []
  let bytes = 0
  for (const row of all) {
    const heading = `#${row.expense.id} · ${dayOf(row)} · ${row.receiver} · ${shownAmount(row, context.locale)}`
    for (const receipt of row.receipts) {
      waiting.push({ heading, receipt })
      bytes += receipt.bytes
      if (waiting.length < receiptsAPart && bytes < bytesAPart) continue
      yield await writeReceipts(stream, waiting, context)
      waiting = []
      bytes = 0
    }
    context.onDone()
  }
  if (waiting.length > 0) yield await writeReceipts(stream, waiting, context)
  yield await stream.end()
}
