import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

/** A received message as stored. */
export type ReceivedMail = Omit<Row<'received_mails'>, 'id' | 'received_at'>
type Place = Pick<ReceivedMail, 'mailbox' | 'uid_validity'>

const findLast = statement<Place, { uid: number }>((db, p) =>
  db
    .selectFrom('received_mails')
    .select('uid')
    .where('mailbox', '=', p('mailbox'))
    .where('uid_validity', '=', p('uid_validity'))
    .orderBy('uid', 'desc')
    .limit(1),
)
const findSame = statement<{ mailbox: string; sha256: string }, { id: number }>((db, p) =>
  db.selectFrom('received_mails').select('id').where('mailbox', '=', p('mailbox')).where('sha256', '=', p('sha256')),
)
const insertRow = statement<Omit<Row<'received_mails'>, 'id'>, unknown>((db, p) =>
  db
    .insertInto('received_mails')
    .values({
      mailbox: p('mailbox'),
      uid_validity: p('uid_validity'),
      uid: p('uid'),
      sha256: p('sha256'),
      user_id: p('user_id'),
      capture_id: p('capture_id'),
      reason: p('reason'),
      sender: p('sender'),
      subject: p('subject'),
      received_at: p('received_at'),
    }),
)
const listNobodys = statement<{ before: number; limit: number }, Row<'received_mails'>>((db, p) =>
  db
    .selectFrom('received_mails')
    .selectAll()
    .where('reason', 'is not', null)
    .where('id', '<', p('before'))
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/** The last stored message of a mailbox; 0 if there is none. */
export async function findLastMail(reader: Reader, place: Place): Promise<number> {
  return (await reader.first(findLast, place))?.uid ?? 0
}

/** Whether a message was taken from a mailbox before, under any number. */
export async function isTaken(reader: Reader, key: { readonly mailbox: string; readonly sha256: string }): Promise<boolean> {
  return (await reader.first(findSame, key)) !== undefined
}

/** How long sender and subject of a message without a recipient here are kept. */
const keptDays = 90

/** Stores a message in the transaction that makes its capture, and clears sender and subject of old messages without a recipient. */
export async function noteMail(tx: Tx, mail: ReceivedMail): Promise<void> {
  await tx.run(insertRow, { ...mail, received_at: tx.now })
  if (mail.reason === null) return
  const before = toInstant(new Date(Date.parse(tx.now) - keptDays * 86_400_000))
  await tx.write('UPDATE received_mails SET sender = NULL, subject = NULL WHERE reason IS NOT NULL AND received_at < ?', [before])
}

/** Messages without a recipient, newest first. */
export function listUntakenMails(
  reader: Reader,
  { before = Number.MAX_SAFE_INTEGER, limit = 100 }: { before?: number; limit?: number } = {},
) {
  return reader.all(listNobodys, { before, limit })
}
