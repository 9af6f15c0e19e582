import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordOwnActivity } from './own-activity'

type Passkey = Row<'passkeys'>
type NewPasskey = Pick<Passkey, 'user_id' | 'credential_id' | 'public_key' | 'counter' | 'name'>

const insertRow = statement<NewPasskey & Pick<Passkey, 'created_at'>, Passkey>((db, p) =>
  db
    .insertInto('passkeys')
    .values({
      user_id: p('user_id'),
      credential_id: p('credential_id'),
      public_key: p('public_key'),
      counter: p('counter'),
      name: p('name'),
      created_at: p('created_at'),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll(),
)
const listRows = statement<{ user_id: number }, Passkey>((db, p) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', p('user_id')).orderBy('id', 'desc'),
)
const findOwn = statement<{ id: number; user_id: number }, Passkey>((db, p) =>
  db.selectFrom('passkeys').selectAll().where('id', '=', p('id')).where('user_id', '=', p('user_id')),
)
const findByCredential = statement<{ credential_id: string }, Passkey>((db, p) =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', p('credential_id')),
)
const deleteRow = statement<{ id: number }, unknown>((db, p) => db.deleteFrom('passkeys').where('id', '=', p('id')))
const setUse = statement<{ id: number; counter: number; last_used_at: string }, { id: number }>((db, p) =>
  db
    .updateTable('passkeys')
    .set({ counter: p('counter'), last_used_at: p('last_used_at') })
    .where('id', '=', p('id'))
    .where('cloned_at', 'is', null)
    // An authenticator without a counter always sends 0.
    .where((eb) => eb.or([eb('counter', '<', p('counter')), eb.and([eb('counter', '=', 0), eb(p('counter'), '=', 0)])]))
    .returning('id'),
)
const setCloned = statement<{ id: number; cloned_at: string }, unknown>((db, p) =>
  db
    .updateTable('passkeys')
    .set({ cloned_at: p('cloned_at') })
    .where('id', '=', p('id'))
    .where('cloned_at', 'is', null),
)

/** Stores a passkey; undefined if it exists already. */
export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<Passkey | undefined> {
  const row = await tx.first(insertRow, { ...passkey, created_at: tx.now })
  if (row) await note(tx, row, { event: 'passkey_created', from: null, to: row.name })
  return row
}

/** The passkeys of a user, newest first. */
export function listPasskeys(reader: Reader, user_id: number): Promise<Passkey[]> {
  return reader.all(listRows, { user_id })
}

export function findOwnPasskey(reader: Reader, key: { id: number; user_id: number }) {
  return reader.first(findOwn, key)
}

/** A passkey by its authenticator's id, base64url. */
export function findPasskey(reader: Reader, credential_id: string) {
  return reader.first(findByCredential, { credential_id })
}

export async function deletePasskey(tx: Tx, row: Passkey): Promise<void> {
  await tx.run(deleteRow, { id: row.id })
  await note(tx, row, { event: 'passkey_removed', from: row.name, to: null })
}

/** Stores a use with its counter. False if the counter is not above the last one: the passkey may have been copied. */
export async function notePasskeyUse(tx: Tx, { id, user_id }: Passkey, counter: number): Promise<boolean> {
  if (!(await tx.first(setUse, { id, counter, last_used_at: tx.now }))) return false
  tx.signal({ topic: 'passkeys', user_id })
  return true
}

/** Marks a passkey that may have been copied: it can no longer sign in. */
export async function notePasskeyCloned(tx: Tx, row: Passkey): Promise<void> {
  await tx.run(setCloned, { id: row.id, cloned_at: tx.now })
  if (row.cloned_at === null) await note(tx, row, { event: 'passkey_cloned', from: row.name, to: null })
}

interface Noted {
  readonly event: 'passkey_created' | 'passkey_removed' | 'passkey_cloned'
  readonly from: string | null
  readonly to: string | null
}

async function note(tx: Tx, { user_id }: Passkey, { event, from, to }: Noted): Promise<void> {
  tx.signal({ topic: 'passkeys', user_id })
  await recordOwnActivity(tx, { user_id, event, details: [{ attribute: 'description', from, to }] })
}
