import type { FastifyReply } from 'fastify'
import type { Caller } from '../command'
import type { ApiResponse } from '../refusals'
import { askedOf } from './asked'

/** Routes whose responses contain or concern secrets, and those outside the contract's records. */
const carriesSecrets = /^(session|setup|api_tokens|webhooks|invitations?|devices|uploads|replica|recoveries|sync)\./

/**
 * Sets who may cache a response, and which headers it depends on. The contract's clients may cache their own responses and revalidate them (`ETag`),
 * as recorded from the service; secrets and responses to browser sessions are never cached. `way`: undefined for an unknown caller.
 */
export function sayWhoMayKeep(reply: FastifyReply, way: Caller['way'] | undefined): void {
  const name = askedOf(reply.request)?.route.name
  const isKept = way === 'token' && name !== undefined && !carriesSecrets.test(name)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', isKept ? 'private, max-age=0, must-revalidate' : 'no-store')
  reply.header('vary', [reply.getHeader('vary'), 'accept-language, authorization, cookie'].filter(Boolean).join(', '))
}

/** Writes a response. */
export function send(reply: FastifyReply, { status, body, headers }: ApiResponse): FastifyReply {
  reply.code(status).headers(headers)
  return body === null ? reply.send() : reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
}
