import { createHash, timingSafeEqual } from 'node:crypto'
import type { Row } from '#db/schema'
import { toInstant } from '#shared/domain/dates'
import type { Language } from '#shared/domain/locales'
import {
  findSignInByLink,
  insertSignInRequest,
  listSignInRequests,
  noteSignInSent,
  noteWrongCode,
  recordEmailSignIn,
  takeSignIn,
} from '#main/store/records/users/sign-in-codes'
import { findUserByEmail, listEmails } from '#main/store/records/users/user-reader'
import type { Tx } from '#main/store/core/store'

/** How long a code and its link are valid. */
const validMs = 15 * 60_000
/** The most messages to an address in that time. */
const mostMessages = 5
/** The most wrong codes for an address in that time: with eight digits, a guess succeeds once in ten million tries. */
const mostWrong = 10

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const normal = (email: string) => email.trim().toLowerCase()
const codeHash = (email: string, code: string) => hashOf(`${email} ${code}`)

function since(tx: Tx): string {
  return toInstant(new Date(tx.clock.now().getTime() - validMs))
}

/** Stores a request for a code, unless the address had enough. Known and unknown addresses are stored the same way. */
export async function askForCode(tx: Tx, { email, locale }: { email: string; locale: Language }): Promise<void> {
  const address = normal(email)
  if ((await listSignInRequests(tx, { email: address, since: since(tx) })).length >= mostMessages) return
  const at = tx.clock.now().getTime()
  const [expires_at, before] = [at + validMs, at - validMs].map((ms) => toInstant(new Date(ms)))
  if (expires_at !== undefined && before !== undefined)
    await insertSignInRequest(tx, { email: address, locale, created_at: tx.now, expires_at, before })
}

/** Makes the code and link of a request for its message; undefined if nothing is to be sent. */
export async function makeCode(
  tx: Tx,
  { id, email, expires_at }: Row<'sign_in_codes'>,
): Promise<{ code: string; secret: string; to: string } | undefined> {
  const user = expires_at <= tx.now ? undefined : await findUserByEmail(tx, email)
  const address = user && (await listEmails(tx, [user.id])).find((one) => normal(one.email) === email)
  const isReachable = address !== undefined && address.bounced_at === null
  const secret = tx.clock.secret(32)
  const code = String(BigInt(`0x${tx.clock.secret(16)}`) % 100_000_000n).padStart(8, '0')
  const hashes = isReachable ? { code_hash: codeHash(email, code), link_hash: hashOf(secret) } : { code_hash: null, link_hash: null }
  const isOurs = await noteSignInSent(tx, { id, ...hashes })
  return isReachable && isOurs ? { code, secret, to: address.email } : undefined
}

/** A code and its address, or the secret of a link. */
export interface Given {
  readonly email?: string | undefined
  readonly code?: string | undefined
  readonly link?: string | undefined
}

/** The user whom a code or link signs in, once; undefined for an invalid one. Wrong codes are counted. */
export async function redeemCode(tx: Tx, given: Given): Promise<number | undefined> {
  const found = given.link === undefined ? await byCode(tx, given) : await findSignInByLink(tx, hashOf(given.link))
  if (!found || !isOpen(tx, found)) return undefined
  const user = await findUserByEmail(tx, found.email)
  return user && (await takeSignIn(tx, found)) ? user.id : undefined
}

/** Records the user's sign-in by e-mail in the trail. */
export function noteEmailSignIn(tx: Tx, user_id: number): Promise<void> {
  return recordEmailSignIn(tx, user_id)
}

async function byCode(tx: Tx, { email = '', code = '' }: Given): Promise<Row<'sign_in_codes'> | undefined> {
  const address = normal(email)
  const asked = await listSignInRequests(tx, { email: address, since: since(tx) })
  const wrong = asked.reduce((sum, { attempts }) => sum + attempts, 0)
  const [newest] = asked
  const given = Buffer.from(codeHash(address, code.replace(/[\s-]/g, '')))
  // All are compared in constant time, so that timing reveals nothing.
  const fitting = asked.filter((row) => timingSafeEqual(given, Buffer.from(row.code_hash ?? hashOf(''))) && isOpen(tx, row))
  if (wrong < mostWrong && fitting[0]) return fitting[0]
  if (newest) await noteWrongCode(tx, newest)
  return undefined
}

function isOpen(tx: Tx, { code_hash, used_at, expires_at }: Row<'sign_in_codes'>): boolean {
  return code_hash !== null && used_at === null && expires_at > tx.now
}
