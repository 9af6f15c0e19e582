import type { Clock } from '#main/clock'
import { toInstant } from '#shared/domain/dates'
import { statement } from './statement'
import type { Reader, Store, Tx } from './store'

const find = statement<{ key: string }, { value: string }>((db, p) =>
  db.selectFrom('instance_settings').select('value').where('key', '=', p('key')),
)
const insert = statement<{ key: string; value: string; updated_at: string }, unknown>((db, p) =>
  db.insertInto('instance_settings').values({ key: p('key'), value: p('value'), updated_at: p('updated_at') }),
)

const remove = statement<{ key: string }, unknown>((db, p) => db.deleteFrom('instance_settings').where('key', '=', p('key')))

const nobody = { user_id: 0, origin: 'app', request_id: null, if_match: null }

/** A value that an instance makes once and stores, such as a secret. */
export async function readOrMakeSetting(store: Store, key: string, make: () => string): Promise<string> {
  // Reads first: a start writes only what is missing, so that it works on a full disk.
  const known = await store.reader.first(find, { key })
  if (known) return known.value
  return store.transact(nobody, async (tx) => {
    const stored = await tx.first(find, { key })
    if (stored) return stored.value
    const value = make()
    await tx.run(insert, { key, value, updated_at: toInstant(tx.clock.now()) })
    return value
  })
}

/** Stores a setting, replacing an earlier value. */
export async function keepSetting(tx: Tx, key: string, value: string): Promise<void> {
  await tx.run(remove, { key })
  await tx.run(insert, { key, value, updated_at: toInstant(tx.clock.now()) })
}

/** Removes a setting. */
export function forgetSetting(store: Store, key: string): Promise<void> {
  return store.transact(nobody, async (tx) => {
    await tx.run(remove, { key })
  })
}

/** As {@link readOrMakeSigningSecret}, without making it: undefined before an instance's first start. */
export async function findSigningSecret(reader: Reader): Promise<string | undefined> {
  return (await reader.first(find, { key: 'signing_secret' }))?.value
}

/** The secret with which this instance signs and hashes; made once. Hexadecimal. */
export function readOrMakeSigningSecret(store: Store, clock: Pick<Clock, 'secret'>): Promise<string> {
  return readOrMakeSetting(store, 'signing_secret', () => clock.secret(32))
}

/** The instance and its current history. Restoring a backup begins another history. */
export interface InstanceIdentity {
  readonly instance_uid: string
  readonly epoch: string
}

/** Stores the version of this program, for older programs that open the database. `whenOther`: runs after an update. */
export async function noteProgramVersion(store: Store, version: string, whenOther: (tx: Tx) => Promise<void>): Promise<void> {
  const key = 'program_version'
  if ((await readOrMakeSetting(store, key, () => version)) === version) return
  await store.transact(nobody, async (tx) => {
    await keepSetting(tx, key, version)
    await whenOther(tx)
  })
}

/** The identity of this instance; made once. */
export async function readOrMakeIdentity(store: Store, clock: Pick<Clock, 'uid' | 'secret'>): Promise<InstanceIdentity> {
  const instance_uid = await readOrMakeSetting(store, 'instance_uid', () => clock.uid())
  return { instance_uid, epoch: await readOrMakeSetting(store, 'epoch', () => clock.secret(8)) }
}

/** Begins another history: replicas compare all their data again. */
export async function beginEpoch(tx: Tx): Promise<void> {
  await tx.run(remove, { key: 'epoch' })
}
