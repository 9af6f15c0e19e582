import type { Attributes } from '#shared/sync/merge'
import { DomainError } from '#shared/domain/errors'
import { type Context, bodyOf } from './endpoint'
import { parseInput } from './parse-input'
import type { Router } from './router'

/**
 * What a caller sees of the record that a write is about: the answer of the GET at its path, or at the path above it
 * (`/expenses/7` of `/expenses/7/status`). None where there is no such record, or none that they see.
 */
export async function readRepresentation(context: Context, router: Router, path: string): Promise<Attributes | undefined> {
  const segments = path.split('/').filter(Boolean)
  for (const length of [segments.length, segments.length - 1]) {
    const match = router.match('GET', segments.slice(0, length).join('/'))
    if (match.kind !== 'found' || match.endpoint.kind !== 'query' || match.endpoint.route.list) continue
    try {
      const input = parseInput(match.endpoint.route, { params: match.params, query: {}, body: null })
      const body = await bodyOf(await match.endpoint.handle(context, input))
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
