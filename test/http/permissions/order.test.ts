import { afterAll, expect, test } from 'vitest'
import { endpoints } from '#main/http/endpoints'
import type { Endpoint } from '#main/http/endpoint'
import { may } from '#shared/domain/permissions'
import { inForm } from '#test/support/form'
import { call, pathFor, send } from '#test/support/permissions/call'
import { type CallFixture, recordFor } from '#test/support/permissions/call-fixture'
import { expectedStatus } from '#test/support/permissions/expected'
import { fixtureOf, fixtures } from '#test/support/permissions/fixtures'
import { type Place, type Situation, placeOf } from '#test/support/permissions/places'
import { type Caller, makeWorld } from '#test/support/permissions/world'

/** Records that are unknown, hidden, expired, or the caller's to see and not to change. */
const situations = [
  'of another organization',
  "another member's",
  'in an expired organization',
  'with an id that nothing has',
] as const satisfies readonly Situation[]

const bodies: ReadonlyArray<readonly [name: string, body: string | undefined]> = [
  ['nothing', undefined],
  ['a part', '{"description": "Bus"}'],
  ['values of wrong types', JSON.stringify({ amount: {}, name: [], role: 7, status: 'no', payer: 'x', file: 1, content: '' })],
  ['broken JSON', '{"amount": '],
]

/** What the order of refusals promises before a body is looked at; undefined where the body decides. */
function promised({ route }: Endpoint, fixture: CallFixture, place: Place): number | undefined {
  const status = expectedStatus(route, fixture, place)
  const isOfBody = fixture.on.hidden === 422 || route.name === 'captures.attach'
  if (status === 401) return 401
  if (isOfBody || ![402, 403, 404, 410].includes(status) || status === fixture.answers) return undefined
  // Which move a status is, or which role is given, the body says.
  return status === 403 && place.caller.name !== 'nobody' && may(route.action, fixture.on.relationOf(place)) ? undefined : status
}
const world = await makeWorld()
afterAll(() => world.instance.remove())

/** Of the bodies, those that a call is tried with: all in the long form, in the short one another at each call. */
let calls = 0
function nextBodies(): typeof bodies {
  calls += 1
  // Not the same one for the same of four callers.
  const turn = (calls + Math.floor(calls / bodies.length)) % bodies.length
  return bodies.filter((_, index) => inForm(index === turn, true))
}

/** The statuses that other bodies get where the order promises another. */
async function prove(endpoint: Endpoint, { situation, caller }: { situation: Situation; caller: Caller }): Promise<string[]> {
  const { route } = endpoint
  const fixture = fixtureOf(route)
  const place = placeOf(world, { situation, caller })
  const status = promised(endpoint, fixture, place)
  if (status === undefined) return []
  const made = await recordFor(world, fixture.on, place)
  const wrong: string[] = []
  const usual = await call(world, route, { fixture, place, made })
  if (usual.status !== status) wrong.push(`${caller.name}, the usual body: ${usual.status} instead of ${status}`)
  for (const [name, body] of nextBodies()) {
    const response = await send(world, caller, { method: route.method, path: pathFor(route, made), text: body })
    if (response.status !== status) wrong.push(`${caller.name}, ${name}: ${response.status} instead of ${status} ${response.text}`)
  }
  return wrong
}

test.each(situations)('%s: each route refuses in the order of the contract, whatever is sent', async (situation) => {
  const concerned = endpoints.filter(({ route }) => route.method !== 'GET' && fixtures[route.name]?.on.situations.includes(situation))
  const wrong: string[] = []
  for (const endpoint of concerned)
    for (const name of ['manager', 'analyst', 'member', 'nobody'] as const)
      wrong.push(...(await prove(endpoint, { situation, caller: world.people[name] })).map((one) => `${endpoint.route.name}: ${one}`))
  expect(wrong).toEqual([])
})
