import { createReadStream } from 'node:fs'
import { ZipFile } from 'yazl'
import type { ExportRow } from '../export-rows'
import type { FileContext, Format } from './format'
import { dayOf, decimalOf, oneLine } from './journals'
import { addEntry, zipped } from './zip-entries'

/** A receipt as the manifest names it; `file` is null where it could not be put in, and `problem` says why. */
interface ManifestEntry {
  readonly file: string | null
  readonly original_name: string
  readonly sha256: string
  readonly bytes: number
  readonly problem: string | null
}

interface ManifestExpense {
  readonly id: number
  readonly uid: string
  readonly occurred_at: string
  readonly amount: string
  readonly currency: string
  readonly claimant: string
  readonly description: string | null
  readonly receipts: readonly ManifestEntry[]
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/jpg': 'jpg',
  'image/gif': 'gif',
  'image/png': 'png',
  'image/tiff': 'tif',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'text/xml': 'xml',
}

/** A part of a file name that every system takes. */
function namePart(text: string): string {
  return oneLine(text)
    .normalize('NFC')
    .replace(/[\p{Cf}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, '-')
    .slice(0, 60)
    .replace(/^[.-]+|[.-]+$/g, '')
    .toWellFormed()
}

/** The name of a receipt: the day, the expense's number, the claimant, what it was, which of its receipts. */
function nameOf(row: ExportRow, index: number, content_type: string): string {
  const { expense, receiver } = row
  const parts = [dayOf(row), String(expense.id), namePart(receiver), namePart(expense.supplier_name ?? expense.description ?? '')]
  return `receipts/${parts.filter((part) => part !== '').join('_')}_${index + 1}.${extensions[content_type] ?? 'bin'}`
}

async function fill(zip: ZipFile, rows: AsyncIterable<ExportRow>, context: FileContext): Promise<void> {
  const expenses: ManifestExpense[] = []
  const mtime = context.made_at
  for await (const row of rows) {
    const receipts: ManifestEntry[] = []
    for (const [index, { sha256, file_name, content_type, bytes }] of row.receipts.entries()) {
      const known = { original_name: file_name, sha256, bytes }
      const name = nameOf(row, index, content_type)
      // Pictures and PDFs are compressed already.
      const written = await context.withFile(sha256, (path) =>
        addEntry(zip, name, { chunks: () => createReadStream(path), mtime, compress: false }),
      )
      const problem = written === undefined ? 'not on this computer' : written.sha256 === sha256 ? null : 'the stored file is damaged'
      receipts.push({ file: written ? name : null, ...known, problem })
    }
    const { id, uid, occurred_at, amount_minor, currency, description } = row.expense
    const amount = decimalOf({ amount_minor, currency })
    expenses.push({ id, uid, occurred_at, amount, currency, claimant: row.receiver, description, receipts })
  }
  const manifest = { made_at: context.made_at.toISOString(), asked: context.title, expenses }
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`), 'manifest.json', { mtime })
  const sums = expenses.flatMap(({ receipts }) =>
    receipts.filter(({ file }) => file !== null).map(({ file, sha256 }) => `${sha256}  ${file}\n`),
  )
  zip.addBuffer(Buffer.from(sums.join('')), 'SHA256SUMS', { mtime })
  zip.end()
}

function writeZip(rows: AsyncIterable<ExportRow>, context: FileContext): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  return zipped(zip, () => fill(zip, rows, context))
}

/** The receipts under names that a person reads, with a manifest of their expenses and hashes. */
export const zip: Format = { extension: 'zip', content_type: 'application/zip', withReceipts: true, write: writeZip }
