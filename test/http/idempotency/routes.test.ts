import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { records } from '#shared/records/index'
import { isOpen } from '#shared/domain/permissions'
import type { Endpoint } from '#main/http/endpoint'
import { endpoints } from '#main/http/endpoints'
import { openRaw } from '#test/support/databases/raw'
import { type ApiResponse, requestFor, send } from '#test/support/permissions/call'
import { expectedStatus } from '#test/support/permissions/expected'
import { fixtureOf } from '#test/support/permissions/fixtures'
import { type Place, placeOf, whereOf } from '#test/support/permissions/places'
import { callers, makeWorld } from '#test/support/permissions/world'

// Every write keeps `Idempotency-Key`. A new route has to, or is named here with the reason.

/** Who sends these is nobody in particular: a response kept for a key would be another's, and often a session. */
const ofNobody = [
  ...['session.create', 'session.ask_by_email', 'session.create_by_email', 'session.challenge_passkey', 'session.create_by_passkey'],
  ...['session.create_by_recovery_code', 'session.begin_openid', 'session.create_by_openid'],
  ...['setup.create', 'setup.connect', 'invitation.accept'],
]
/** These only read; what they look for does not fit into a query. */
const reading = ['batch.dry_run', 'invitation.show', 'sync.common', 'sync.heads', 'sync.readings']

const writes = endpoints.filter(({ route }) => route.method !== 'GET')
const kept = writes.filter(({ route: { name } }) => ![...ofNobody, ...reading].includes(name))
const world = await makeWorld()
const raw = await openRaw(world.instance)
afterAll(async () => {
  await raw.close()
  await world.instance.remove()
})

test('only writes without a caller, and reads, keep no key', () => {
  const named = (list: readonly Endpoint[]) => list.map(({ route }) => route.name).toSorted()
  expect(named(writes.filter(({ kind, route }) => kind !== 'query' && isOpen(route.action)))).toEqual(ofNobody.toSorted())
  expect(named(writes.filter(({ kind }) => kind === 'query'))).toEqual(reading.toSorted())
})

const tables = new Set([
  ...records.map(({ table }) => table),
  ...['captures', 'api_tokens', 'webhooks', 'webhook_deliveries', 'handovers', 'sessions', 'passkeys', 'recovery_codes'],
  ...['sign_in_challenges', 'uploads', 'devices', 'invitations', 'notification_preferences', 'sync_operations', 'sync_grants'],
])

/** What a second effect would show in: rows, their log and trail, and the files that exports and imports work on. */
async function countEffects(): Promise<unknown> {
  // Others are notified meanwhile, as mail goes out; see the change log for what the caller does with their own.
  const counts = [...tables]
    .filter((table) => table !== 'user_notifications')
    .map((table) => `SELECT '${table}' AS name, count(*) AS n FROM ${table}`)
  const own = [
    // What goes out by mail is noted on invitations meanwhile.
    `SELECT 'changes', count(*) FROM change_log
      WHERE table_name <> 'invitations' AND NOT (table_name = 'user_notifications' AND actor_user_id = 0)`,
    `SELECT 'trail', count(*) FROM activities WHERE origin <> 'job'`,
  ]
  const rows = await raw.all([...counts, ...own].join(' UNION ALL '))
  const jobs = await Promise.all(['exports', 'imports'].map((name) => readdir(join(world.instance.folder, name)).catch(() => [])))
  return { rows, jobs: jobs.map(({ length }) => length) }
}

/** A place where a route is called with success, if it has one. */
function bestPlace({ route }: Endpoint): Place {
  const fixture = fixtureOf(route)
  const places = fixture.on.situations.flatMap((situation) =>
    callers.filter((name) => name !== 'nobody').map((name) => placeOf(world, { situation, caller: world.people[name] })),
  )
  const isRefused = (place: Place) => [401, 402, 403, 404, 410].includes(expectedStatus(route, fixture, place))
  const best = places.find((place) => !isRefused(place)) ?? places[0]
  if (!best) throw new Error('Nobody calls this.')
  return best
}

/** What a repeat has in common with the first response: all but what lets someone in, which is in one response only. */
function comparable({ status, text, headers }: ApiResponse) {
  const changed = ['idempotency-replayed', 'set-cookie', 'content-length']
  const rest = JSON.parse(headers).filter(([name]: [string]) => !changed.includes(name))
  return { status, rest, text: text.replaceAll(/"(token|secret|link|codes)":("[^"]*"|\[[^\]]*\])/g, '"$1":null') }
}

test.each(kept.map((endpoint) => [endpoint.route.name, endpoint] as const))('%s', async (name, endpoint) => {
  const { route } = endpoint
  const fixture = fixtureOf(route)
  const best = bestPlace(endpoint)
  const organization = fixture.on.isOfOrganization ? await world.makeOrganization(whereOf(best.situation)) : undefined
  const place = placeOf(world, { ...best, organization })
  const made = await fixture.on.make(world, place)
  const request = await requestFor(world, route, { fixture, place, made })
  const headers = { 'idempotency-key': `repeated ${name}` }
  const first = await send(world, place.caller, { ...request, headers })
  expect(first.headers).not.toContain('idempotency-replayed')
  const before = await countEffects()
  const second = await send(world, place.caller, { ...request, headers })
  expect(second.headers).toContain('["idempotency-replayed","true"]')
  expect(comparable(second)).toEqual(comparable(first))
  const other = typeof request.body === 'object' ? { ...request.body, other: 1 } : { other: 1 }
  const third = await send(world, place.caller, { ...request, body: other, headers })
  expect([third.status, third.text]).toEqual([422, '{"errors":{"message":"This Idempotency-Key was used for another request."}}'])
  expect(await countEffects()).toEqual(before)
})
