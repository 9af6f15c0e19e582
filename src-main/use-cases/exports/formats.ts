import type { ExportFormat } from '#shared/domain/exports/export-formats'
import { quickbooks, xero } from './formats/bookings'
import { datev } from './formats/datev'
import type { Format } from './formats/format'
import { beancount, hledger } from './formats/journals'
import { profile } from './formats/own-layout'
import { zip } from './formats/receipts-zip'
import { csv, json, xlsx } from './formats/tables'

/** What draws pages is large: it is loaded where a document is written, not when the program starts. */
const pdf: Format = {
  extension: 'pdf',
  content_type: 'application/pdf',
  withReceipts: true,
  countsItself: true,
  async *write(rows, context) {
    const { writePdf } = await import('./formats/pdf/pdf')
    yield* writePdf(rows, context)
  },
}

/** How each format is written. */
export const formats: Readonly<Record<ExportFormat, Format>> = {
  csv,
  xlsx,
  pdf,
  zip,
  json,
  hledger,
  beancount,
  datev,
  quickbooks,
  xero,
  profile,
}
