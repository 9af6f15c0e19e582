import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

type Read = Pick<Row<'invoice_keys'>, 'sha256' | 'invoice_key'>

const noteRow = statement<Read, unknown>((db, p) =>
  db
    .updateTable('invoice_keys')
    .set({ is_read: 1, invoice_key: p('invoice_key') })
    .where('sha256', '=', p('sha256')),
)

/** Notes what a file is known by as an invoice; null: it is none. Of files that are no XML nothing is noted. */
export async function noteInvoiceKey(tx: Tx, read: Read): Promise<void> {
  await tx.run(noteRow, read)
}
