import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'
import { recordOwnActivity } from './own-activity'

const insertRow = statement<Pick<Row<'recovery_codes'>, 'user_id' | 'code_hash' | 'created_at'>, unknown>((db, p) =>
  db.insertInto('recovery_codes').values({ user_id: p('user_id'), code_hash: p('code_hash'), created_at: p('created_at') }),
)
const deleteOf = statement<{ user_id: number }, unknown>((db, p) => db.deleteFrom('recovery_codes').where('user_id', '=', p('user_id')))
const countLeft = statement<{ user_id: number }, { count: number; created_at: string | null }>((db, p) =>
  db
    .selectFrom('recovery_codes')
    .select([sql<number>`count(*)`.as('count'), sql<string | null>`max(created_at)`.as('created_at')])
    .where('user_id', '=', p('user_id'))
    .where('used_at', 'is', null),
)
const take = statement<{ code_hash: string; used_at: string }, { user_id: number }>((db, p) =>
  db
    .updateTable('recovery_codes')
    .set({ used_at: p('used_at') })
    .where('code_hash', '=', p('code_hash'))
    .where('used_at', 'is', null)
    .returning('user_id'),
)

/** Replaces a user's recovery codes, stored as hashes. */
export async function replaceRecoveryCodes(tx: Tx, user_id: number, hashes: readonly string[]): Promise<void> {
  await tx.run(deleteOf, { user_id })
  for (const code_hash of hashes) await tx.run(insertRow, { user_id, code_hash, created_at: tx.now })
  tx.signal({ topic: 'recovery_codes', user_id })
  await recordOwnActivity(tx, { user_id, event: 'recovery_codes_created', details: [] })
}

/** The number of a user's unused recovery codes, and when they were made. */
export async function countRecoveryCodes(reader: Reader, user_id: number): Promise<{ left: number; created_at: string | null }> {
  const row = await reader.first(countLeft, { user_id })
  return { left: row?.count ?? 0, created_at: row?.created_at ?? null }
}

/** Uses up the recovery code with this hash; returns its user. Of simultaneous requests one succeeds. */
export async function takeRecoveryCode(tx: Tx, code_hash: string): Promise<number | undefined> {
  const user_id = (await tx.first(take, { code_hash, used_at: tx.now }))?.user_id
  if (user_id !== undefined) tx.signal({ topic: 'recovery_codes', user_id })
  return user_id
}
