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

/** Sends a request as someone. */
export async function send(
  { instance }: World,
  caller: Caller,
  { method, path, body, headers: given = {} }: { method: string; path: string; body?: unknown; headers?: Record<string, string> },
): Promise<ApiResponse> {
  const response = await fetch(`${instance.url}/api/v1${path}`, {
    method,
    headers: {
      ...caller.credentials,
      'content-type': 'application/json',
      'user-agent': 'tests',
      'accept-language': 'en',
      ...given,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const headers = [...response.headers].filter(([name]) => !passing.includes(name))
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  if (isStream) await response.body?.cancel()
  return { status: response.status, text: isStream ? '' : await response.text(), headers: JSON.stringify(headers) }
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
