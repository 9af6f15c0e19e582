import type { Attributes } from '#shared/sync/merge'
import { DomainError } from '#shared/domain/errors'
import { type AnyContext, bodyOf } from './endpoint'
import { parseInput } from './parse-input'

/**
 * The record that a write is about as the caller sees it: the response of GET at its path, or at the path above (`/expenses/7` for
 * `/expenses/7/status`). Undefined if it does not exist or the caller may not see it.
 */
export async function readRepresentation(context: AnyContext, path: string): Promise<Attributes | undefined> {
  const { api } = context.deps
  const segments = path.split('/').filter(Boolean)
  for (const length of [segments.length, segments.length - 1]) {
    const match = api.router.read({ method: 'GET', path: segments.slice(0, length).join('/'), body: null })
    const endpoint = match.kind === 'found' ? api.endpointOf(match.asked.route) : undefined
    if (match.kind !== 'found' || endpoint?.kind !== 'query' || endpoint.route.list) continue
    try {
      const body = await bodyOf(await endpoint.handle(context, parseInput(match.asked)))
      if (isAttributes(body) && 'id' in body) return body
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      return undefined
    }
  }
  return undefined
}

function isAttributes(body: unknown): body is Attributes {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}
