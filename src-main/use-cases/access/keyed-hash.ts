import { createHmac } from 'node:crypto'

/**
 * A hash that nobody can compute without the instance's secret, so that what is guessable, a card's number, cannot be found by
 * trying. Each purpose has a key of its own, derived from the secret. Hexadecimal.
 */
export function keyedHash({
  secret,
  purpose,
  text,
}: {
  secret: string
  purpose: 'card' | 'idempotency' | 'operation'
  text: string
}): string {
  const key = createHmac('sha256', secret).update(purpose).digest()
  return createHmac('sha256', key).update(text).digest('hex')
}
