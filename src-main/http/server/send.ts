import type { FastifyReply } from 'fastify'
import type { ApiResponse } from '../refusals'

/** Writes a response. */
export function send(reply: FastifyReply, { status, body, headers }: ApiResponse): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}
