import type { Clock } from '#main/clock'
import { toInstant } from '#shared/domain/dates'
import { statement } from './statement'
import type { Store, Tx } from './store'

const find = statement<{ key: string }, { value: string }>((db, p) =>
  db.selectFrom('instance_settings').select('value').where('key', '=', p('key')),
)
const insert = statement<{ key: string; value: string; updated_at: string }, unknown>((db, p) =>
  db.insertInto('instance_settings').values({ key: p('key'), value: p('value'), updated_at: p('updated_at') }),
)

const remove = statement<{ key: string }, unknown>((db, p) => db.deleteFrom('instance_settings').where('key', '=', p('key')))

const nobody = { user_id: 0, origin: 'app', request_id: null, if_match: null }

/** A value that an instance makes once and keeps: its secrets. */
export async function readOrMakeSetting(store: Store, key: string, make: () => string): Promise<string> {
  // A start writes only what has to be: on a full disk it can be read all the same.
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

/** Keeps a value instead of the one that an instance may have kept. */
export async function keepSetting(tx: Tx, key: string, value: string): Promise<void> {
  await tx.run(remove, { key })
  await tx.run(insert, { key, value, updated_at: toInstant(tx.clock.now()) })
}

/** Forgets a value that an instance has kept. */
export function forgetSetting(store: Store, key: string): Promise<void> {
  return store.transact(nobody, async (tx) => {
    await tx.run(remove, { key })
  })
}

/** What signs and keys all that this instance gives out and hashes; made once. Hexadecimal. */
export function readOrMakeSigningSecret(store: Store, clock: Pick<Clock, 'secret'>): Promise<string> {
  return readOrMakeSetting(store, 'signing_secret', () => clock.secret(32))
}

/** Which instance this is, and which of its histories: restoring a backup begins another. */
export interface InstanceIdentity {
  readonly instance_uid: string
  readonly epoch: string
}

/** Notes which program writes this database, for one that is too old to open it. `whenOther`: what has to be done after an update. */
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

/** Begins another history: replicas compare everything from the previous one again. */
export async function beginEpoch(tx: Tx): Promise<void> {
  await tx.run(remove, { key: 'epoch' })
}
