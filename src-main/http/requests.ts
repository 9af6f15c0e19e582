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

/** The endpoint of an address, with the address's parameters. */
export type Found = Pick<Asked, 'route' | 'params'>

interface Entry {
  readonly segments: readonly string[]
  readonly route: Route
}

/** Parameters longer than this are no ids. */
const maxParamLength = 200

/** Finds the endpoint of a request, wherever it comes from; the inverse of {@link writeRequest}. */
export class Router {
  /** By the number of segments and the first one, which is never a parameter. */
  readonly #byStart = new Map<string, Entry[]>()

  constructor(routes: readonly Route[]) {
    for (const route of routes)
      for (const path of [route.path, ...(route.aliases ?? [])]) {
        const segments = split(path)
        this.#byStart.set(startOf(segments), [...this.#at(segments), { segments, route }])
      }
    for (const entries of this.#byStart.values()) entries.sort((a, b) => countParams(a) - countParams(b))
  }

  /** Finds the endpoint of a method and a path without its query. */
  find(method: string, path: string): Found | Exclude<Match, { kind: 'found' }> {
    const segments = split(path)
    const fits = this.#at(segments).filter((entry) => isFit(entry.segments, segments))
    const entry = fits.find(({ route }) => route.method === method)
    if (entry) return { route: entry.route, params: readParams(entry.segments, segments) }
    if (fits.length === 0) return { kind: 'unknown' }
    const methods = fits.map(({ route }) => route.method)
    return { kind: 'wrong_method', allow: [...new Set(methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one])))] }
  }

  /** Parses a request and finds its endpoint. */
  read({ method, path, body }: RequestText): Match {
    const [plain = '', query] = path.split('?')
    const found = this.find(method, plain)
    if ('kind' in found) return found
    return { kind: 'found', asked: { ...found, query: Object.fromEntries(new URLSearchParams(query)), body } }
  }

  #at(segments: readonly string[]): Entry[] {
    return this.#byStart.get(startOf(segments)) ?? []
  }
}

/** Writes a request, without its query. */
export function writeRequest({ route, params, body }: Pick<Asked, 'route' | 'params' | 'body'>) {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return { method: route.method, path, body }
}

/** The decoded segments of a path; one that cannot be decoded fits no endpoint. */
function split(path: string): string[] {
  try {
    return path
      .replace(/^\/|\/$/g, '')
      .split('/')
      .map(decodeURIComponent)
  } catch {
    return []
  }
}
function startOf([first = '', ...others]: readonly string[]): string {
  return `${others.length} ${first}`
}
function countParams({ segments }: Entry): number {
  return segments.filter((segment) => segment.startsWith(':')).length
}
function isFit(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.every((part, index) => part === segments[index] || (part.startsWith(':') && isParam(segments[index])))
}
function isParam(segment = ''): boolean {
  return segment !== '' && segment.length <= maxParamLength
}
function readParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) if (part.startsWith(':')) params[part.slice(1)] = segments[index] ?? ''
  return params
}
