import type { Row } from '#db/schema'
import type { InvoiceFile } from '#shared/invoices/invoice'
import { bandsOf } from '#shared/domain/picture-hash'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

/** What reading a file found that identifies it. */
export interface FileReading {
  readonly sha256: string
  readonly content_type: string
  /** The invoice in an XML file; absent if it is none. */
  readonly invoice?: InvoiceFile
  /** The perceptual hash of an image; absent if the image shows nothing. */
  readonly picture_hash?: string
}

const noteInvoice = statement<Omit<Row<'invoice_keys'>, 'is_read'>, unknown>((db, p) =>
  db
    .updateTable('invoice_keys')
    .set({ is_read: 1, invoice_key: p('invoice_key'), total_minor: p('total_minor') })
    .set({ currency: p('currency'), issued_on: p('issued_on'), buyer_tax_id: p('buyer_tax_id'), is_altered: p('is_altered') })
    .where('sha256', '=', p('sha256')),
)
const findUnread = statement<{ sha256: string }, { id: number }>((db, p) =>
  db.selectFrom('picture_hashes').select('id').where('sha256', '=', p('sha256')).where('is_read', '=', 0),
)
const notePicture = statement<Pick<Row<'picture_hashes'>, 'id' | 'hash'>, unknown>((db, p) =>
  db
    .updateTable('picture_hashes')
    .set({ is_read: 1, hash: p('hash') })
    .where('id', '=', p('id')),
)

const noInvoice: InvoiceFile = { key: null, total_minor: null, currency: null, issued_on: null, buyer_tax_id: null }

/** Stores the invoice of a file, read from its XML or its codes; nothing if it has none. */
export async function noteInvoiceOf(tx: Tx, sha256: string, invoice: InvoiceFile = noInvoice): Promise<void> {
  const { key: invoice_key, is_altered = false, ...said } = invoice
  await tx.run(noteInvoice, { sha256, invoice_key, is_altered: is_altered ? 1 : 0, ...said })
}

/** Stores the perceptual hash of an image that has none stored yet; an empty one if it shows nothing. Ignores other files. */
export async function notePictureOf(tx: Tx, sha256: string, picture_hash?: string): Promise<void> {
  const picture = await tx.first(findUnread, { sha256 })
  if (!picture) return
  await tx.run(notePicture, { id: picture.id, hash: picture_hash ?? null })
  if (picture_hash === undefined) return
  const bands = bandsOf(picture_hash)
  const places = bands.map(() => '(?, ?)').join(', ')
  await tx.write(
    `INSERT INTO picture_bands (band, picture_id) VALUES ${places}`,
    bands.flatMap((band) => [band, picture.id]),
  )
}

/** Stores what reading an upload found. Codes in images and documents are read later, so no request waits for them. */
export async function noteReading(tx: Tx, { sha256, content_type, invoice, picture_hash }: FileReading): Promise<void> {
  if (content_type.endsWith('xml') || invoice) await noteInvoiceOf(tx, sha256, invoice)
  await notePictureOf(tx, sha256, picture_hash)
}
