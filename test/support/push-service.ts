import { createDecipheriv, createECDH, createHmac, createPublicKey, hkdfSync, verify } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, createServer } from 'node:http'
import type { PushPayload } from '#main/jobs/job-deps'

/** A push as it arrived. */
export interface Arrived {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** A push service on a loopback port, as browsers' makers run them. */
export interface PushService {
  readonly url: string
  readonly arrived: readonly Arrived[]
  /** What it answers, by path; 201 where nothing is said. */
  readonly answers: Map<string, number>
  close(): Promise<void>
}

/** Starts a push service. */
export async function startPushService(): Promise<PushService> {
  const arrived: Arrived[] = []
  const responses = new Map<string, number>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      arrived.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(responses.get(path) ?? 201).end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    arrived,
    answers: responses,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A browser's side of a subscription: it alone can read what is pushed (RFC 8291). */
export interface Browser {
  readonly keys: { readonly p256dh: string; readonly auth: string }
  read(body: Buffer): PushPayload
}

/** Makes the keys of a subscription. `seed` tells browsers apart. */
export function makeBrowser(seed: number): Browser {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(Buffer.alloc(32, seed))
  const auth = Buffer.alloc(16, seed + 100)
  return {
    keys: { p256dh: curve.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read: (body) => {
      const salt = body.subarray(0, 16)
      const keyLength = body.readUInt8(20)
      const sender = body.subarray(21, 21 + keyLength)
      const secret = curve.computeSecret(sender)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), sender])
      const input = createHmac('sha256', createHmac('sha256', auth).update(secret).digest())
        .update(Buffer.concat([info, Buffer.from([1])]))
        .digest()
      const part = (name: string, length: number) => Buffer.from(hkdfSync('sha256', input, salt, `Content-Encoding: ${name}\0`, length))
      const sealed = body.subarray(21 + keyLength)
      const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12))
      decipher.setAuthTag(sealed.subarray(-16))
      const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'))
    },
  }
}

/** Whether a push was signed by the holder of a VAPID public key, for this service (RFC 8292). */
export function isSignedBy(publicKey: string, { headers }: Arrived, audience: string): boolean {
  const token = /t=([^,\s]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const [head = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(publicKey, 'base64url')
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  })
  const isValid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  return isValid && JSON.parse(Buffer.from(claims, 'base64url').toString()).aud === audience
}
