import type { Socket } from 'node:net'
import { translate } from '#shared/i18n/translations'

/** Answers what is no HTTP at all, in the shape of every refusal. */
export function refuseMalformed({ code }: { code: string }, socket: Socket, request_id: string): void {
  if (!socket.writable) return void socket.destroy()
  const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const body = JSON.stringify({ errors: { message: translate('en', 'errors:malformed_request') } })
  const length = Buffer.byteLength(body)
  const head = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${length}`,
    `x-request-id: ${request_id}`,
    'connection: close',
  ]
  socket.end([`HTTP/1.1 ${status}`, ...head, '', body].join('\r\n'))
}
