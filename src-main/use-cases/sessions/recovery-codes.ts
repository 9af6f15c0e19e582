import { createHash } from 'node:crypto'
import { replaceRecoveryCodes, takeRecoveryCode } from '#main/store/records/users/recovery-codes'
import { recordOwnActivity } from '#main/store/records/users/own-activity'
import { findUser } from '#main/store/records/users/user-reader'
import type { Tx } from '#main/store/core/store'

const codeCount = 10
/** Crockford's base 32, without letters that look like digits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 80 bits: nobody guesses one, even without throttling. */
const codeLength = 16

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex')

/** Makes ten recovery codes for the acting user, in groups of four characters; earlier ones become invalid. Only hashes are stored. */
export async function makeRecoveryCodes(tx: Tx): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () => makeCode(tx))
  await replaceRecoveryCodes(tx, tx.actor.user_id, codes.map(hashOf))
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'))
}

/** The user whom a recovery code signs in, once; undefined for other text. Ignores case, spaces and look-alikes. */
export async function redeemRecoveryCode(tx: Tx, given: string): Promise<number | undefined> {
  const code = given.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  const user_id = await takeRecoveryCode(tx, hashOf(code))
  if (user_id === undefined || !(await findUser(tx, user_id))) return undefined
  const own = tx.as({ ...tx.actor, user_id })
  await recordOwnActivity(own, { user_id, event: 'signed_in_by_recovery_code', details: [] })
  return user_id
}

function makeCode({ clock }: Tx): string {
  const bits = BigInt(`0x${clock.secret((codeLength * 5) / 8)}`)
  return Array.from({ length: codeLength }, (_, at) => alphabet[Number((bits >> BigInt(at * 5)) & 31n)]).join('')
}
