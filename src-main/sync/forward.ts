import type { Transport } from './remote'

/** A request of the user that only the remote can answer. */
export interface Forwarded {
  readonly method: string
  readonly path: string
  readonly query: unknown
  readonly body: unknown
  readonly language: string
  /** What it is repeated under. */
  readonly key: string | undefined
}

const timeoutMs = 30_000

/** Sends a request of the user on to the remote. Throws what the transport throws, and a SyntaxError where the answer is no JSON. */
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
