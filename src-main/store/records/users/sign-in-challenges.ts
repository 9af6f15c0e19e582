import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Tx } from '../../core/store'

type Challenge = Row<'sign_in_challenges'>

const insertRow = statement<Challenge, unknown>((db, p) =>
  db
    .insertInto('sign_in_challenges')
    .values({
      hash: p('hash'),
      purpose: p('purpose'),
      user_id: p('user_id'),
      data: p('data'),
      created_at: p('created_at'),
      expires_at: p('expires_at'),
    }),
)
const takeRow = statement<Pick<Challenge, 'hash' | 'purpose'>, Challenge>((db, p) =>
  db.deleteFrom('sign_in_challenges').where('hash', '=', p('hash')).where('purpose', '=', p('purpose')).returningAll(),
)
const deleteEnded = statement<{ now: string }, unknown>((db, p) => db.deleteFrom('sign_in_challenges').where('expires_at', '<=', p('now')))

/** Stores a challenge until it is taken or expires, and deletes expired ones. */
export async function insertChallenge(tx: Tx, row: Omit<Challenge, 'created_at'>): Promise<void> {
  await tx.run(deleteEnded, { now: tx.now })
  await tx.run(insertRow, { ...row, created_at: tx.now })
}

/** Takes the challenge with this hash, once: of simultaneous requests, on any server, one gets it. */
export async function takeChallenge(tx: Tx, key: Pick<Challenge, 'hash' | 'purpose'>): Promise<Challenge | undefined> {
  const row = await tx.first(takeRow, key)
  return row && row.expires_at > tx.now ? row : undefined
}
