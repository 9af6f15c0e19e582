import { type KeyObject, createHmac, createSecretKey } from 'node:crypto'

type Purpose = 'account' | 'card' | 'idempotency' | 'operation' | 'upload'

/** The last derived key: a process has one secret, and hashes many texts for one purpose. */
let last: { readonly secret: string; readonly purpose: Purpose; readonly key: KeyObject } | undefined

function keyOf(secret: string, purpose: Purpose): KeyObject {
  if (last?.secret !== secret || last.purpose !== purpose)
    last = { secret, purpose, key: createSecretKey(createHmac('sha256', secret).update(purpose).digest()) }
  return last.key
}

/**
 * A hash that needs the instance's secret, so that guessable values, such as a card's number, cannot be found by trying. Each purpose has its own
 * key, derived from the secret. Hexadecimal.
 */
export function keyedHash({ secret, purpose, text }: { secret: string; purpose: Purpose; text: string }): string {
  return createHmac('sha256', keyOf(secret, purpose)).update(text).digest('hex')
}
