import type { Endpoint } from './endpoint'

/** Where a method and path lead. */
export type Match =
  | { readonly kind: 'found'; readonly endpoint: Endpoint; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong_method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' }

interface Entry {
  readonly segments: readonly string[]
  readonly endpoint: Endpoint
}

/** Finds endpoints by method and path, for what does not come through the HTTP framework's own router. */
export class Router {
  readonly #bySize = new Map<number, Entry[]>()

  constructor(endpoints: readonly Endpoint[]) {
    for (const endpoint of endpoints)
      for (const path of [endpoint.route.path, ...(endpoint.route.aliases ?? [])]) {
        const segments = split(path)
        const entries = this.#bySize.get(segments.length) ?? []
        this.#bySize.set(segments.length, [...entries, { segments, endpoint }].sort(literalFirst))
      }
  }

  /** `path` is relative to {base_url} and has no query string. */
  match(method: string, path: string): Match {
    const segments = split(path)
    const fits = (this.#bySize.get(segments.length) ?? []).filter((entry) => isFit(entry.segments, segments))
    const entry = fits.find(({ endpoint }) => endpoint.route.method === method)
    if (entry) return { kind: 'found', endpoint: entry.endpoint, params: readParams(entry.segments, segments) }
    if (fits.length === 0) return { kind: 'unknown' }
    const methods = fits.map(({ endpoint }) => endpoint.route.method)
    return { kind: 'wrong_method', allow: [...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))] }
  }
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
