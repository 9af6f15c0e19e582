import type { FastifyRequest } from 'fastify'
import type { Found } from '../requests'

/** The prefix that {base_url} includes (contract section 9). */
export const apiPrefix = '/api/v1'

const asked = new WeakMap<FastifyRequest, Found>()

/** Notes which endpoint a request asks for, as soon as it is known. */
export function noteAsked(request: FastifyRequest, found: Found): void {
  asked.set(request, found)
}

/** The endpoint that a request asks for; undefined for an address that is none of the API's. */
export function askedOf(request: FastifyRequest): Found | undefined {
  return asked.get(request)
}

/** The pattern of a request's address, without ids: for logs, metrics and spans. */
export function patternOf(request: FastifyRequest): string | undefined {
  const path = askedOf(request)?.route.path
  return path === undefined ? request.routeOptions.url : `${apiPrefix}${path}`
}
