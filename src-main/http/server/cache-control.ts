import type { FastifyReply } from 'fastify'
import type { Caller } from '../command'

/** Routes whose responses hold, or are about, what lets someone in, and those that are no single record of the contract. */
const carriesSecrets = /^(session|setup|api_tokens|webhooks|invitations?|devices|uploads|replica|recoveries|sync)\./

/**
 * Says who may keep a response, and what it depends on in addition to its address. A client of the contract may keep its own and
 * revalidates it (`ETag`), as recorded of the service; secrets, and responses to a browser session, are never kept. `way`: undefined for an
 * unknown caller.
 */
export function sayWhoMayKeep(reply: FastifyReply, way: Caller['way'] | undefined): void {
  const { apiRoute } = reply.request.routeOptions.config
  const isKept = way === 'token' && apiRoute !== undefined && !carriesSecrets.test(apiRoute.name)
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', isKept ? 'private, max-age=0, must-revalidate' : 'no-store')
  reply.header('vary', [reply.getHeader('vary'), 'accept-language, authorization, cookie'].filter(Boolean).join(', '))
}
