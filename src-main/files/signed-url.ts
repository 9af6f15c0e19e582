import { createHmac, timingSafeEqual } from 'node:crypto'

/** The result of checking a signed path. */
export type SignedPathCheck = { kind: 'valid' } | { kind: 'expired' } | { kind: 'forged' }

/**
 * Adds expiry and signature to a path (percent-encoded, without a query): `<path>?expires=<unix s>&signature=<hex>`. Anyone with the result may read
 * the file until it expires. Supplement, "Attachments and uploads".
 */
export function signPath({ secret, path, expires }: { secret: string; path: string; expires: Date }): string {
  const expires_s = String(Math.floor(expires.getTime() / 1000))
  return `${path}?expires=${expires_s}&signature=${signatureOf(secret, path, expires_s).toString('hex')}`
}

/** Checks the `expires` and `signature` of a requested path, raw from its query; in constant time for a forgery. */
export function verifySignedPath(request: {
  secret: string
  path: string
  expires: string | undefined
  signature: string | undefined
  now: Date
}): SignedPathCheck {
  const { secret, path, expires = '', signature = '', now } = request
  if (!/^\d{1,12}$/.test(expires) || !/^[0-9a-f]{64}$/.test(signature)) return { kind: 'forged' }
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), signatureOf(secret, path, expires))) return { kind: 'forged' }
  return now.getTime() < Number(expires) * 1000 ? { kind: 'valid' } : { kind: 'expired' }
}

function signatureOf(secret: string, path: string, expires_s: string): Buffer {
  return createHmac('sha256', secret).update(`signed-path\n${expires_s}\n${path}`).digest()
}
