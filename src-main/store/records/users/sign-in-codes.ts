import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordActivity } from '../conversations/activity-writer'

type SignInCode = Row<'sign_in_codes'>

const insertRow = statement<Pick<SignInCode, 'email' | 'locale' | 'created_at' | 'expires_at'>, unknown>((db, p) =>
  db
    .insertInto('sign_in_codes')
    .values({ email: p('email'), locale: p('locale'), created_at: p('created_at'), expires_at: p('expires_at') }),
)
const listRecent = statement<{ email: string; since: string }, SignInCode>((db, p) =>
  db
    .selectFrom('sign_in_codes')
    .selectAll()
    .where('email', '=', p('email'))
    .where('created_at', '>', p('since'))
    .orderBy('id', 'desc')
    .limit(20),
)
const findByLink = statement<{ link_hash: string }, SignInCode>((db, p) =>
  db.selectFrom('sign_in_codes').selectAll().where('link_hash', '=', p('link_hash')),
)
const findWaiting = statement<Record<string, never>, SignInCode>((db) =>
  db.selectFrom('sign_in_codes').selectAll().where('sent_at', 'is', null).orderBy('id').limit(1),
)
const setSent = statement<Pick<SignInCode, 'id' | 'code_hash' | 'link_hash' | 'sent_at'>, { id: number }>((db, p) =>
  db
    .updateTable('sign_in_codes')
    .set({ code_hash: p('code_hash'), link_hash: p('link_hash'), sent_at: p('sent_at') })
    .where('id', '=', p('id'))
    .where('sent_at', 'is', null)
    .returning('id'),
)
const countWrong = statement<{ id: number }, unknown>((db, p) =>
  db
    .updateTable('sign_in_codes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', p('id')),
)
const take = statement<{ id: number; used_at: string }, { id: number }>((db, p) =>
  db
    .updateTable('sign_in_codes')
    .set({ used_at: p('used_at') })
    .where('id', '=', p('id'))
    .where('used_at', 'is', null)
    .returning('id'),
)
const setUsed = statement<{ email: string; used_at: string }, unknown>((db, p) =>
  db
    .updateTable('sign_in_codes')
    .set({ used_at: p('used_at') })
    .where('email', '=', p('email'))
    .where('used_at', 'is', null),
)
const deleteOld = statement<{ before: string }, unknown>((db, p) => db.deleteFrom('sign_in_codes').where('expires_at', '<', p('before')))

/** Stores a request for a code, and deletes those that ended before `before`. */
export async function insertSignInRequest(
  tx: Tx,
  { before, ...row }: Pick<SignInCode, 'email' | 'locale' | 'created_at' | 'expires_at'> & { before: string },
): Promise<void> {
  await tx.run(deleteOld, { before })
  await tx.run(insertRow, row)
}

/** The requests of an address since an instant, newest first; at most twenty. */
export function listSignInRequests(reader: Reader, key: { email: string; since: string }): Promise<SignInCode[]> {
  return reader.all(listRecent, key)
}

/** The request whose link has this secret, whatever its state. */
export function findSignInByLink(reader: Reader, link_hash: string) {
  return reader.first(findByLink, { link_hash })
}

/** The oldest request that was not handled yet. */
export function findWaitingSignIn(reader: Reader) {
  return reader.first(findWaiting, {})
}

/** Stores a request's hashes; null if nobody has the address. False if another process did it first. */
export async function noteSignInSent(tx: Tx, row: { id: number; code_hash: string | null; link_hash: string | null }): Promise<boolean> {
  return (await tx.first(setSent, { ...row, sent_at: tx.now })) !== undefined
}

/** Counts a wrong code. */
export async function noteWrongCode(tx: Tx, { id }: SignInCode): Promise<void> {
  await tx.run(countWrong, { id })
}

/** Uses up a code, and all other codes and links of its address. False if another request did it first. */
export async function takeSignIn(tx: Tx, { id, email }: SignInCode): Promise<boolean> {
  if (!(await tx.first(take, { id, used_at: tx.now }))) return false
  await tx.run(setUsed, { email, used_at: tx.now })
  return true
}

/** Records a user's sign-in by e-mail in the trail. */
export async function recordEmailSignIn(tx: Tx, user_id: number): Promise<void> {
  await recordActivity(tx, { organization_id: null, subject: { type: 'User', id: user_id }, event: 'signed_in_by_email', details: [] })
}
