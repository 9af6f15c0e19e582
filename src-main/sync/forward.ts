import type { Transport } from './remote'

/** A user's request that only the remote can do. */
export interface Forwarded {
  readonly method: string
  readonly path: string
  readonly query: unknown
  readonly body: unknown
  readonly language: string
  /** Its idempotency key. */
  readonly key: string | undefined
}

const timeoutMs = 30_000

/** Forwards a user's request to the remote. Throws the transport's errors, and a SyntaxError if the response is not JSON. */
export async function forward(transport: Transport, { method, path, query, body, language, key }: Forwarded) {
  const values = Object.entries(typeof query === 'object' && query !== null ? query : {})
  const asked = new URLSearchParams(values.map(([name, value]): [string, string] => [name, String(value)])).toString()
  const hasBody = body !== undefined && body !== null
  const response = await transport({
    method,
    path: `${path}${asked && `?${asked}`}`,
    headers: {
      'accept-language': language,
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: hasBody ? JSON.stringify(body) : undefined,
    timeoutMs,
  })
  const text = await response.text()
  const told: unknown = text === '' ? null : JSON.parse(text)
  return { status: response.status, body: told, headers: {} }
}
