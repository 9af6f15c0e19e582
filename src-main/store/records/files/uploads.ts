import type { NewRow, Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

const findRow = statement<{ key: string }, Row<'uploads'>>((db, p) => db.selectFrom('uploads').selectAll().where('key', '=', p('key')))

/** A finished upload by its key, an expired one too: `expires_at` says so. */
export function findUpload(reader: Reader, key: string) {
  return reader.first(findRow, { key })
}

const insertBlob = statement<Row<'blobs'>, unknown>((db, p) =>
  db
    .insertInto('blobs')
    .values({
      sha256: p('sha256'),
      bytes: p('bytes'),
      md5: p('md5'),
      content_type: p('content_type'),
      width: p('width'),
      height: p('height'),
      pages: p('pages'),
      created_at: p('created_at'),
    })
    .onConflict((conflict) =>
      conflict
        .column('sha256')
        .doUpdateSet({
          width: (eb) => eb.fn.coalesce('excluded.width', 'blobs.width'),
          height: (eb) => eb.fn.coalesce('excluded.height', 'blobs.height'),
          pages: (eb) => eb.fn.coalesce('excluded.pages', 'blobs.pages'),
        }),
    ),
)
const insertRow = statement<Omit<Row<'uploads'>, 'id'>, unknown>((db, p) =>
  db
    .insertInto('uploads')
    .values({
      key: p('key'),
      user_id: p('user_id'),
      sha256: p('sha256'),
      file_name: p('file_name'),
      content_type: p('content_type'),
      bytes: p('bytes'),
      created_at: p('created_at'),
      expires_at: p('expires_at'),
    }),
)

const extendRow = statement<{ key: string; expires_at: string }, unknown>((db, p) =>
  db
    .updateTable('uploads')
    .where('key', '=', p('key'))
    .set({ expires_at: p('expires_at') }),
)

/** Stores the metadata of a file; the same content is stored once, with all its metadata. The bytes must already be durable. */
export async function noteBlob(tx: Tx, values: Omit<NewRow<'blobs'>, 'created_at'>): Promise<void> {
  await tx.run(insertBlob, { ...values, created_at: tx.now })
}

/** Stores a finished upload of a file that has metadata. The key must be new. */
export async function insertUpload(tx: Tx, values: Omit<Row<'uploads'>, 'id' | 'created_at'>): Promise<void> {
  await tx.run(insertRow, { ...values, created_at: tx.now })
}

/** Extends how long an upload can be claimed. */
export async function extendUpload(tx: Tx, upload: { key: string; expires_at: string }): Promise<void> {
  await tx.run(extendRow, upload)
}
