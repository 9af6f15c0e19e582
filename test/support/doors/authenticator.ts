import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** What a made-up authenticator says in place of the truth. */
export interface Lies {
  readonly origin?: string
  readonly rp_id?: string
  /** Whether it verified the person: a finger, a face or a PIN. */
  readonly isVerified?: boolean
  /** How often it says that it has signed. */
  readonly counter?: number
}

/** An authenticator in software with one passkey (ES256, no attestation), for the origin of a relying party. */
export function createAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  const cose = new Map<number, number | Uint8Array>([
    ...[[1, 2] as const, [3, -7] as const, [-1, 1] as const],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ])
  let signed = 0

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: lies.origin ?? origin, crossOrigin: false }))
  const authenticatorData = (rpId: string, { isVerified = true, rp_id = rpId, counter }: Lies, attested = Buffer.alloc(0)) => {
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? signed)
    return Buffer.concat([sha256(rp_id), Buffer.from([flags]), count, attested])
  }
  const answer = (response: Record<string, string>) => ({
    ...{ id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {}, response },
  })
  return {
    /** What a browser answers to `navigator.credentials.create()`. */
    create({ challenge, rp }: { challenge: string; rp: { id: string } }, lies: Lies = {}) {
      const length = Buffer.from([0, id.length])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(cose)])
      const authData = new Uint8Array(authenticatorData(rp.id, lies, attested))
      const object = new Map<string, string | Uint8Array | Map<string, string>>([
        ...[['fmt', 'none'] as const, ['attStmt', new Map<string, string>()] as const],
        ['authData', authData],
      ])
      const attestationObject = base64url(isoCBOR.encode(object))
      return answer({ clientDataJSON: base64url(clientData('webauthn.create', challenge, lies)), attestationObject })
    },
    /** What a browser answers to `navigator.credentials.get()`. */
    get({ challenge, rpId }: { challenge: string; rpId: string }, lies: Lies = {}) {
      signed += 1
      const data = clientData('webauthn.get', challenge, lies)
      const authData = authenticatorData(rpId, lies)
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)
      return answer({ clientDataJSON: base64url(data), authenticatorData: base64url(authData), signature: base64url(signature) })
    },
  }
}
