import { type SqlBool, sql } from 'kysely'
import type { Row } from '#db/schema'
import type { InvoiceFacts } from '#shared/domain/policies/invoices'
import type { ComparedReceipt } from '#shared/domain/repeats'
import { listStatement, statement } from '../../core/statement'
import type { Reader } from '../../core/store'

/** A receipt of an expense with the keys that identify its file. */
export interface ReadReceipt extends ComparedReceipt {
  readonly expense_id: number
}

const knownBy = ['invoice_keys.invoice_key', 'picture_hashes.hash as picture', 'receipt_readings.said', 'receipt_readings.seller'] as const

const listReceipts = listStatement<number, ReadReceipt>((db, ids) =>
  db
    .selectFrom('attachments')
    .leftJoin('invoice_keys', 'invoice_keys.sha256', 'attachments.sha256')
    .leftJoin('picture_hashes', 'picture_hashes.sha256', 'attachments.sha256')
    .leftJoin('receipt_readings', 'receipt_readings.sha256', 'attachments.sha256')
    .select(['attachments.expense_id', 'attachments.sha256', ...knownBy])
    .where('attachments.expense_id', 'in', ids)
    .where('attachments.deleted_at', 'is', null),
)
const listInvoices = listStatement<number, InvoiceFacts>((db, ids) =>
  db
    .selectFrom('attachments')
    .innerJoin('invoice_keys', 'invoice_keys.sha256', 'attachments.sha256')
    .select([
      'invoice_keys.invoice_key as key',
      'invoice_keys.total_minor',
      'invoice_keys.currency',
      'invoice_keys.issued_on',
      'invoice_keys.buyer_tax_id',
    ])
    .where('attachments.expense_id', 'in', ids)
    .where('attachments.deleted_at', 'is', null)
    .where(sql<SqlBool>`(invoice_keys.invoice_key is not null or total_minor is not null or issued_on is not null)`),
)
const listFiles = listStatement<string, ComparedReceipt>((db, hashes) =>
  db
    .selectFrom('blobs')
    .leftJoin('invoice_keys', 'invoice_keys.sha256', 'blobs.sha256')
    .leftJoin('picture_hashes', 'picture_hashes.sha256', 'blobs.sha256')
    .leftJoin('receipt_readings', 'receipt_readings.sha256', 'blobs.sha256')
    .select(['blobs.sha256', ...knownBy])
    .where('blobs.sha256', 'in', hashes),
)
const listUsesOfFiles = listStatement<string, { expense_id: number }>((db, hashes) =>
  db.selectFrom('attachments').select('expense_id').distinct().where('sha256', 'in', hashes).where('deleted_at', 'is', null),
)
const listFilesOfInvoices = listStatement<string, { sha256: string }>((db, keys) =>
  db.selectFrom('invoice_keys').select('sha256').where('invoice_key', 'in', keys),
)
const listFilesThatSaid = listStatement<string, { sha256: string }>((db, said) =>
  db.selectFrom('receipt_readings').select('sha256').where('said', 'in', said),
)
const countAltered = statement<{ expense_id: number }, { count: number }>((db, p) =>
  db
    .selectFrom('attachments')
    .innerJoin('invoice_keys', 'invoice_keys.sha256', 'attachments.sha256')
    .select(sql<number>`count(*)`.as('count'))
    .where('attachments.expense_id', '=', p('expense_id'))
    .where('attachments.deleted_at', 'is', null)
    .where('invoice_keys.is_altered', '=', sql.lit(1)),
)
const listPicturesOfBands = listStatement<number, { sha256: string; hash: string | null }>((db, bands) =>
  db
    .selectFrom('picture_bands')
    .innerJoin('picture_hashes', 'picture_hashes.id', 'picture_bands.picture_id')
    .select(['picture_hashes.sha256', 'picture_hashes.hash'])
    .distinct()
    .where('picture_bands.band', 'in', bands),
)
const listExpenses = statement<{ sha256: string }, Row<'expenses'>>((db, p) =>
  db
    .selectFrom('attachments')
    .innerJoin('expenses', 'expenses.id', 'attachments.expense_id')
    .selectAll('expenses')
    .distinct()
    .where('attachments.sha256', '=', p('sha256'))
    .where('attachments.deleted_at', 'is', null)
    .where('expenses.deleted_at', 'is', null),
)

/** The receipts of expenses with the keys that identify their files. */
export function listReadReceipts(reader: Reader, expense_ids: readonly number[]): Promise<ReadReceipt[]> {
  return reader.allOf(listReceipts, expense_ids)
}

/** The electronic invoices among an expense's receipts. */
export function listInvoicesOf(reader: Reader, expense_id: number): Promise<InvoiceFacts[]> {
  return reader.allOf(listInvoices, [expense_id])
}

/** The keys that identify stored files. */
export function listReadFiles(reader: Reader, hashes: readonly string[]): Promise<ComparedReceipt[]> {
  return reader.allOf(listFiles, hashes)
}

/** The expenses that have any of these files as a receipt. */
export async function listExpensesWithFiles(reader: Reader, hashes: readonly string[]): Promise<number[]> {
  return (await reader.allOf(listUsesOfFiles, hashes)).map(({ expense_id }) => expense_id)
}

/** The files that contain one of these electronic invoices. */
export async function listInvoiceFiles(reader: Reader, keys: readonly string[]): Promise<string[]> {
  return (await reader.allOf(listFilesOfInvoices, keys)).map(({ sha256 }) => sha256)
}

/** The files from which one of these days and totals was read. */
export async function listFilesThatSay(reader: Reader, said: readonly string[]): Promise<string[]> {
  return (await reader.allOf(listFilesThatSaid, said)).map(({ sha256 }) => sha256)
}

/** How many of an expense's receipts are electronic invoices that were altered after signing. */
export async function countAlteredOf(reader: Reader, expense_id: number): Promise<number> {
  return (await reader.first(countAltered, { expense_id }))?.count ?? 0
}

/** The images whose perceptual hash has one of these parts. */
export function listPicturesByBands(reader: Reader, bands: readonly number[]) {
  return reader.allOf(listPicturesOfBands, bands)
}

/** The expenses that have this file as a receipt. */
export function listExpensesOfFile(reader: Reader, sha256: string): Promise<Array<Row<'expenses'>>> {
  return reader.all(listExpenses, { sha256 })
}

/** Files that should be here and whose invoice or perceptual hash was not read yet, by hash. */
export function listUnreadFiles({ db }: Reader, { after, limit }: { after: string; limit: number }) {
  const unread = (table: 'invoice_keys' | 'picture_hashes') =>
    db
      .selectFrom(table)
      .select(['sha256', sql.lit(table).as('wanted')])
      .where('is_read', '=', sql.lit(0))
      .where('sha256', '>', after)
  return db
    .selectFrom(unread('invoice_keys').unionAll(unread('picture_hashes')).as('unread'))
    .innerJoin('blobs', 'blobs.sha256', 'unread.sha256')
    .select(['unread.sha256', 'unread.wanted', 'blobs.content_type'])
    .where((is) =>
      is.not(
        is.exists(
          is.selectFrom('sync_blobs').select('sha256').where('direction', '=', 'down').whereRef('sync_blobs.sha256', '=', 'unread.sha256'),
        ),
      ),
    )
    .orderBy('unread.sha256')
    .limit(limit)
    .execute()
}
