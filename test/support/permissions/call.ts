import { feedStreams } from '#shared/contract/instance/feed'
import type { Route } from '#shared/contract/route'
import type { CallFixture, Made } from './call-fixture'
import type { Place } from './places'
import type { Caller, World } from './world'

/** An answer, to the byte. */
export interface ApiResponse {
  readonly status: number
  readonly text: string
  readonly headers: string
}

/** Headers that differ from one answer to the next. */
const passing = ['x-request-id', 'date']

/** A record to call a route on, and how. */
export interface Asked {
  readonly fixture: CallFixture
  readonly place: Place
  readonly made: Made
}

/** The path of a route for a record. */
export function pathFor({ path }: Route, made: Made): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => String(made[name]))
}

/** A request to the API; `text`: a body that is sent as it is. */
interface Sent {
  readonly method: Route['method']
  readonly path: string
  readonly body?: unknown
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request as someone, without a socket. */
export async function send(
  { instance }: World,
  caller: Caller,
  { method, path, body, text, headers: given = {} }: Sent,
): Promise<ApiResponse> {
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const all = { ...caller.credentials, 'content-type': 'application/json', 'user-agent': 'tests', 'accept-language': 'en', ...given }
  const url = `/api/v1${path}`
  if (streams.has(path)) return listen(`${instance.url}${url}`, all)
  const authority = new URL(instance.url).host
  const response = await instance.app.server.inject({ method, url, authority, headers: all, ...(payload !== undefined && { payload }) })
  const headers = Object.entries(response.headers).filter(([name]) => !passing.includes(name))
  return { status: response.statusCode, text: response.payload, headers: JSON.stringify(headers) }
}

const streams: ReadonlySet<string> = new Set(Object.values(feedStreams).map(({ path }) => path))

/** Opens a stream of events, which needs a socket, and closes it. */
async function listen(url: string, headers: Readonly<Record<string, string>>): Promise<ApiResponse> {
  const response = await fetch(url, { headers })
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  if (isStream) await response.body?.cancel()
  const told = [...response.headers].filter(([name]) => !passing.includes(name))
  return { status: response.status, text: isStream ? '' : await response.text(), headers: JSON.stringify(told) }
}

/** The request that calls a route on a record. */
export async function requestFor(world: World, route: Route, { fixture, place, made }: Asked) {
  const query = fixture.query?.(made)
  const path = `${pathFor(route, made)}${query === undefined ? '' : `?${query}`}`
  return { method: route.method, path, body: await fixture.body?.({ world, place, made }) }
}

/** Calls a route on a record as the caller of its place. */
export async function call(world: World, route: Route, asked: Asked): Promise<ApiResponse> {
  return send(world, asked.place.caller, await requestFor(world, route, asked))
}
