import type { Route } from '#shared/contract/route'
import type { Asked } from './command'

/** A request as text, as batches, the journal and the wire write commands. `path` is relative to {base_url}. */
export interface RequestText {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** The endpoint of a request, or why there is none. */
export type Match =
  | { readonly kind: 'found'; readonly asked: Asked }
  | { readonly kind: 'wrong_method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' }

interface Entry {
  readonly segments: readonly string[]
  readonly route: Route
}

/** Reads requests that do not come through the HTTP framework's router; the inverse of {@link writeRequest}. */
export class Router {
  readonly #bySize = new Map<number, Entry[]>()

  constructor(routes: readonly Route[]) {
    for (const route of routes)
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const segments = split(path)
        const entries = this.#bySize.get(segments.length) ?? []
        this.#bySize.set(segments.length, [...entries, { segments, route }].sort(literalFirst))
      }
  }

  /** Parses a request and finds its endpoint. */
  read({ method, path, body }: RequestText): Match {
    const [plain = '', query] = path.split('?')
    const segments = split(plain)
    const fits = (this.#bySize.get(segments.length) ?? []).filter((entry) => isFit(entry.segments, segments))
    const entry = fits.find(({ route }) => route.method === method)
    if (entry) {
      const params = readParams(entry.segments, segments)
      return { kind: 'found', asked: { route: entry.route, params, query: Object.fromEntries(new URLSearchParams(query)), body } }
    }
    if (fits.length === 0) return { kind: 'unknown' }
    const methods = fits.map(({ route }) => route.method)
    return { kind: 'wrong_method', allow: [...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))] }
  }
}

/** Writes a request, without its query. */
export function writeRequest({ route, params, body }: Pick<Asked, 'route' | 'params' | 'body'>) {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return { method: route.method, path, body }
}

function split(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
function literalFirst(a: Entry, b: Entry): number {
  return countParams(a) - countParams(b)
}
function countParams({ segments }: Entry): number {
  return segments.filter((segment) => segment.startsWith(':')).length
}
function isFit(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, index) => part.startsWith(':') || part === segments[index])
}
function readParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) if (part.startsWith(':')) params[part.slice(1)] = segments[index] ?? ''
  return params
}
