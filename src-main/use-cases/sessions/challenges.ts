import { createHash } from 'node:crypto'
import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import { insertChallenge } from '#main/store/records/users/sign-in-challenges'
import type { Tx } from '#main/store/core/store'

/** The hash under which a challenge is stored. */
export function challengeHash(challenge: string): string {
  return createHash('sha256').update(challenge).digest('hex')
}

/** Makes a challenge that a browser must return within `validMs`, as base64url. Only its hash is stored. */
export async function issueChallenge(
  tx: Tx,
  { validMs, ...row }: Pick<Row<'sign_in_challenges'>, 'purpose' | 'user_id' | 'data'> & { validMs: number },
): Promise<string> {
  const challenge = Buffer.from(tx.clock.secret(32), 'hex').toString('base64url')
  const expires_at = toInstant(new Date(tx.clock.now().getTime() + validMs))
  await insertChallenge(tx, { ...row, hash: challengeHash(challenge), expires_at })
  return challenge
}
