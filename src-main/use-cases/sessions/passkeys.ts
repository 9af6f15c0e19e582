import { z } from 'zod'
import type { Row } from '#db/schema'
import type { Assertion, Attestation, CreationOptions, RequestOptions } from '#shared/contract/instance/passkeys'
import { invalid, notFound } from '#shared/domain/errors'
import {
  deletePasskey,
  findOwnPasskey,
  findPasskey,
  insertPasskey,
  listPasskeys,
  notePasskeyCloned,
  notePasskeyUse,
} from '#main/store/records/users/passkeys'
import { recordOwnActivity } from '#main/store/records/users/own-activity'
import { takeChallenge } from '#main/store/records/users/sign-in-challenges'
import { findUser, listEmails } from '#main/store/records/users/user-reader'
import type { Tx } from '#main/store/core/store'
import { challengeHash, issueChallenge } from './challenges'

/** Where passkeys are used: browsers bind them to the host name, and report the whole origin. */
export interface PasskeyPlace {
  readonly rp_id: string
  readonly origin: string
}

/** The result of checking a signature; `reason` is for the log. */
type Verified<T> = { readonly kind: 'verified'; readonly of: T } | { readonly kind: 'refused'; readonly reason: string }

const validMs = 5 * 60_000
/** EdDSA, ES256 and RS256 (COSE), which common authenticators support. */
const algorithms = [-8, -7, -257]
const mostPasskeys = 50

/** A server's place at an address that browsers accept for passkeys: https with a host name, or localhost. Undefined for others. */
export function passkeyPlaceAt(address: string): PasskeyPlace | undefined {
  const { protocol, hostname, origin } = new URL(address)
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  return hostname === 'localhost' || (protocol === 'https:' && isName) ? { rp_id: hostname, origin } : undefined
}

/** Begins to add a passkey for the acting user. */
export async function beginPasskey(tx: Tx, { rp_id }: PasskeyPlace): Promise<CreationOptions> {
  const { user_id } = tx.actor
  const user = await findUser(tx, user_id)
  if (!user) throw notFound()
  const [address] = await listEmails(tx, [user_id])
  const passkeys = await listPasskeys(tx, user_id)
  if (passkeys.length >= mostPasskeys) throw invalid('passkey', 'too_many', { limit: mostPasskeys })
  const name = `${user.first_name} ${user.last_name}`.trim()
  return {
    rp: { id: rp_id, name: 'Outlay' },
    user: { id: handleOf(user), name: address?.email ?? user.mention_name, displayName: name },
    challenge: await issueChallenge(tx, { purpose: 'add_passkey', user_id, data: null, validMs }),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: validMs,
    excludeCredentials: passkeys.map(({ credential_id: id }) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/** Begins to sign in with a passkey. */
export async function beginPasskeySignIn(tx: Tx, { rp_id: rpId }: PasskeyPlace): Promise<RequestOptions> {
  const challenge = await issueChallenge(tx, { purpose: 'passkey', user_id: null, data: null, validMs })
  return { rpId, challenge, timeout: validMs, userVerification: 'required' }
}

/** Uses up the challenge of a response; undefined if it had another purpose, is used up, or has expired. */
export async function takeAnswered(
  tx: Tx,
  purpose: 'add_passkey' | 'passkey',
  { response: { clientDataJSON } }: Attestation | Assertion,
): Promise<{ challenge: string; user_id: number | null } | undefined> {
  const challenge = challengeIn(clientDataJSON)
  const row = challenge === undefined ? undefined : await takeChallenge(tx, { purpose, hash: challengeHash(challenge) })
  return challenge !== undefined && row ? { challenge, user_id: row.user_id } : undefined
}

interface Expected extends PasskeyPlace {
  readonly challenge: string
}

/** The key that a browser made for a challenge; refused if it was made elsewhere, or the user was not verified. */
export async function verifyNewPasskey(
  response: Attestation,
  { challenge, rp_id, origin }: Expected,
): Promise<Verified<Pick<Row<'passkeys'>, 'credential_id' | 'public_key' | 'counter'>>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  return refusing(async () => {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo) return undefined
    const { id: credential_id, publicKey, counter } = registrationInfo.credential
    return { credential_id, public_key: Buffer.from(publicKey).toString('base64url'), counter }
  })
}

/** The counter that a passkey signed for a challenge; refused if the signature is invalid. */
export async function verifyPasskey(
  response: Assertion,
  { challenge, rp_id, origin, passkey }: Expected & { readonly passkey: Row<'passkeys'> },
): Promise<Verified<{ counter: number }>> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const publicKey = new Uint8Array(Buffer.from(passkey.public_key, 'base64url'))
  return refusing(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rp_id,
      requireUserVerification: true,
      // Counters are compared in the database: one that did not increase means a copy, not an invalid signature.
      credential: { id: passkey.credential_id, publicKey, counter: 0 },
    })
    return verified ? { counter: authenticationInfo.newCounter } : undefined
  })
}

/** Stores a passkey of the acting user. Throws {@link DomainError}. */
export async function addPasskey(
  tx: Tx,
  passkey: Pick<Row<'passkeys'>, 'credential_id' | 'public_key' | 'counter' | 'name'>,
): Promise<Row<'passkeys'>> {
  const row = await insertPasskey(tx, { ...passkey, user_id: tx.actor.user_id })
  if (!row) throw invalid('passkey', 'taken')
  return row
}

/** Removes a passkey of the acting user. Throws {@link DomainError}. */
export async function removePasskey(tx: Tx, id: number): Promise<void> {
  const row = await findOwnPasskey(tx, { id, user_id: tx.actor.user_id })
  if (!row) throw notFound()
  await deletePasskey(tx, row)
}

/** Stores that a passkey signed the acting user in. `cloned`: its counter shows a copy; `unknown`: it was removed. */
export async function usePasskey(tx: Tx, id: string, { counter }: { counter: number }): Promise<'used' | 'cloned' | 'unknown'> {
  const passkey = await findPasskey(tx, id)
  if (!passkey || passkey.user_id !== tx.actor.user_id || !(await findUser(tx, passkey.user_id))) return 'unknown'
  if (!(await notePasskeyUse(tx, passkey, counter))) {
    await notePasskeyCloned(tx, passkey)
    return 'cloned'
  }
  await recordOwnActivity(tx, { user_id: passkey.user_id, event: 'signed_in_by_passkey', details: [] })
  return 'used'
}

/** The user handle that an authenticator stores with a passkey; it says nothing about the person. */
function handleOf({ uid }: Row<'users'>): string {
  return Buffer.from(uid).toString('base64url')
}

const clientData = z.object({ challenge: z.string().min(1) })

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    return clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))).challenge
  } catch {
    return undefined
  }
}

/** Everything that the library rejects is refused, as the sender is unknown. */
async function refusing<T>(verify: () => Promise<T | undefined>): Promise<Verified<T>> {
  try {
    const of = await verify()
    return of === undefined ? { kind: 'refused', reason: 'the signature does not fit' } : { kind: 'verified', of }
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) }
  }
}
