import type { FastifyRequest } from 'fastify'
import type { ServerDeps } from './deps'

/** {scheme}://{host} by which the caller reached us: a proxy before us may speak another scheme than it does with us. */
export function baseUrlOf(
  { settings: { public_url } }: Pick<ServerDeps, 'settings'>,
  { protocol, host }: FastifyRequest,
): string {
  const known = public_url === null ? undefined : new URL(public_url)
  return known?.host === host ? known.origin : `${protocol}://${host}`
}
