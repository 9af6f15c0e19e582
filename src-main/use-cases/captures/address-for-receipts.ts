import { createHmac, timingSafeEqual } from 'node:crypto'

/** Unambiguous letters and digits that every mail server accepts (RFC 4648, base32). */
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
const length = 16
const personal = /\+(\d{1,15})-([a-z2-7]{16})@/i

/**
 * A person's address for receipts, derived from the instance's secret. Anyone who knows it can add receipts to that person's inbox, and nothing else.
 */
export function personalAddressOf(
  user_id: number,
  { address, signing_secret }: { readonly address: string; readonly signing_secret: string },
): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}+${user_id}-${codeOf(user_id, signing_secret)}${address.slice(at)}`
}

/** The user whose personal address is among a message's recipients; undefined if there is none, or it is invalid. */
export function findAddressed(recipients: readonly string[], signing_secret: string): number | undefined {
  for (const recipient of recipients) {
    const [, id = '', code = ''] = personal.exec(recipient) ?? []
    const user_id = Number(id)
    if (code !== '' && timingSafeEqual(Buffer.from(code.toLowerCase()), Buffer.from(codeOf(user_id, signing_secret)))) return user_id
  }
  return undefined
}

function codeOf(user_id: number, signing_secret: string): string {
  const digest = createHmac('sha256', signing_secret).update(`receipts by mail ${user_id}`).digest()
  return Array.from(digest.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
}
