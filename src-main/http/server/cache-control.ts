import type { FastifyReply } from 'fastify'
import type { Caller } from '../endpoint'

/** Routes whose responses hold, or are about, what lets someone in, and those that are no single record of the contract. */
const carriesSecrets = /^(session|setup|api_tokens|webhooks|invitations?|devices|uploads|replica|recoveries|sync)\./

/**
 * Says who may keep a response, and what it depends on beside its address. A client of the contract may keep its own and asks whether
 * it still holds (`ETag`), as recorded of the service; secrets, and what a browser session sees, are kept nowhere. `way`: undefined for a
 * caller who is not known.
 */
export function sayWhoMayKeep(reply: FastifyReply, way: Caller['way'] | undefined): void {
  const { endpoint } = reply.request.routeOptions.config
  const isKept = way === 'token' && endpoint !== undefined && !carriesSecrets.test(endpoint.route.name)
  if (!reply.hasHeader('cache-control'))
    reply.header('cache-control', isKept ? 'private, max-age=0, must-revalidate' : 'no-store')
  reply.header('vary', [reply.getHeader('vary'), 'accept-language, authorization, cookie'].filter(Boolean).join(', '))
}
