import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

type Challenge = Row<'sign_in_challenges'>

const insertRow = statement<Challenge, unknown>((db, p) =>
  db
    .insertInto('sign_in_challenges')
    .values({
      ...{ hash: p('hash'), purpose: p('purpose'), user_id: p('user_id'), data: p('data') },
      ...{ created_at: p('created_at'), expires_at: p('expires_at') },
    }),
)
const takeRow = statement<Pick<Challenge, 'hash' | 'purpose'>, Challenge>((db, p) =>
  db.deleteFrom('sign_in_challenges').where('hash', '=', p('hash')).where('purpose', '=', p('purpose')).returningAll(),
)
const deleteEnded = statement<{ now: string }, unknown>((db, p) => db.deleteFrom('sign_in_challenges').where('expires_at', '<=', p('now')))

/** Keeps a challenge until it is taken or has expired, and forgets those that have. */
export async function insertChallenge(tx: Tx, row: Omit<Challenge, 'created_at'>): Promise<void> {
  await tx.run(deleteEnded, { now: tx.now })
  await tx.run(insertRow, { ...row, created_at: tx.now })
}

/** The challenge with this hash, once: of requests at the same time one gets it, on whichever server. */
export async function takeChallenge(tx: Tx, key: Pick<Challenge, 'hash' | 'purpose'>): Promise<Challenge | undefined> {
  const row = await tx.first(takeRow, key)
  return row && row.expires_at > tx.now ? row : undefined
}
