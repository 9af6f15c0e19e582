import type { Row } from '#db/schema'
import type { Store } from '#main/store/core/store'

/** What is noted of the messages of mailboxes, in order. */
export function listMails({ reader }: Pick<Store, 'reader'>): Promise<Array<Row<'received_mails'>>> {
  return reader.db.selectFrom('received_mails').selectAll().orderBy('id').execute()
}
