import type { ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { translate } from '#shared/i18n/translations'
import type { ServerSettings } from '../deps'

/** Headers are short: this is enough on any connection. */
const headersTimeoutMs = 60_000
const checkMs = 10_000

/** Limits how long a request may take to arrive. Fastify ignores its own limits with `serverFactory`. */
export function arrivalLimits({ request_timeout_ms }: Pick<ServerSettings, 'request_timeout_ms'>): ServerOptions {
  return {
    requestTimeout: request_timeout_ms,
    headersTimeout: Math.min(headersTimeoutMs, request_timeout_ms),
    connectionsCheckingInterval: Math.min(checkMs, request_timeout_ms / 2),
  }
}

const late = { status: '408 Request Timeout', message: 'late_request' } as const
const malformed = { status: '400 Bad Request', message: 'malformed_request' } as const
const refusals: Readonly<Record<string, { status: string; message: 'late_request' | 'cut_request' | 'malformed_request' }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: late,
  HPE_HEADER_OVERFLOW: { status: '431 Request Header Fields Too Large', message: 'malformed_request' },
  // The connection was cut and may still receive: a client must not take this for a verdict on its request.
  HPE_INVALID_EOF_STATE: { status: '408 Request Timeout', message: 'cut_request' },
}

/** Responds to requests that arrive too slowly or incompletely, and to anything that is not HTTP, in the form of every error. */
export function refuseMalformed({ code }: { code: string }, socket: Socket, request_id: string): void {
  if (!socket.writable) return void socket.destroy()
  const refusal = refusals[code] ?? malformed
  const body = JSON.stringify({ errors: { message: translate('en', `errors:${refusal.message}`) } })
  const length = Buffer.byteLength(body)
  const head = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${length}`,
    `x-request-id: ${request_id}`,
    'connection: close',
  ]
  const text = [`HTTP/1.1 ${refusal.status}`, ...head, '', body].join('\r\n')
  if (refusal !== late) return void socket.end(text)
  // A slow sender may never close the connection.
  socket.write(text)
  socket.destroySoon()
}
