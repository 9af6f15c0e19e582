import { afterAll, expect, test } from 'vitest'
import type { Endpoint } from '#main/http/endpoint'
import { endpoints } from '#main/http/endpoints'
import { records } from '#shared/records/index'
import { call } from '#test/support/permissions/call'
import { expectedStatus } from '#test/support/permissions/expected'
import { fixtureOf } from '#test/support/permissions/fixtures'
import { type Situation, placeOf, whereOf } from '#test/support/permissions/places'
import { type CallerName, callers, makeWorld } from '#test/support/permissions/world'

// Every write of a record leaves an entry in the audit trail and a row in the change log, both with its author. A new route has to,
// or is named here with the reason.

/** Writes of what is no record, by the first word of their routes. */
const withoutRecord: Readonly<Record<string, string>> = {
  api_tokens: 'a credential: the trail has it, no replica does',
  batch: 'carries out other routes',
  browser_sessions: 'ends a sign-in: the trail has it, no replica does',
  captures: 'files of one user that are on no expense yet',
  exports: 'a file for who asked for it alone, gone after a day; no record changes',
  handovers: 'a file for accounting: once it is whole, append-only tables have it, with its author',
  invoice_checks: 'looks at a file and keeps nothing',
  imports: 'a file that waits; each expense in it is written as any other',
  invitation: 'needs the secret from a message; accepting it makes a membership',
  join_notices: 'marks a message as read',
  notification_preferences: 'how one user is notified',
  passkeys: 'a credential: the trail has it, no replica does',
  recoveries: 'marks a message of the operator as read',
  recovery_codes: 'a credential: the trail has it, no replica does',
  replica: 'how this instance exchanges with its remote',
  session: 'a sign-in',
  statements: 'a file; each line in it is written as any other',
  setup: 'needs an instance without users',
  sync: 'carries out other routes for a replica',
  webhook_deliveries: 'sends again what was sent',
}

/** Writes of records of which the trail has nothing: the change log has them, with their author. */
const withoutTrail: Readonly<Record<string, string>> = { user_notifications: 'what one user has seen' }

const firstWord = ({ route: { name } }: Pick<Endpoint, 'route'>) => name.split('.')[0] ?? name
const writes = endpoints.filter(({ kind, route }) => kind !== 'query' && route.method !== 'GET')
const ofRecords = writes.filter((endpoint) => !Object.hasOwn(withoutRecord, firstWord(endpoint)))

const situations: readonly Situation[] = ['shared with the caller', "the caller's own", 'at home', "another member's"]

/** What a record needs before a call of its route changes it: the route to call first. */
const preparedBy: Readonly<Record<string, string>> = {
  'pre_expenses.restore': 'pre_expenses.ignore',
  'pre_expenses.restore_by_put': 'pre_expenses.ignore',
}
const world = await makeWorld()
afterAll(() => world.instance.remove())

/** Who may call a route, and on what. */
function allowedCall({ route }: Endpoint): { situation: Situation; caller: CallerName } {
  const fixture = fixtureOf(route)
  for (const situation of situations.filter((one) => fixture.on.situations.includes(one)))
    for (const caller of callers)
      if (expectedStatus(route, fixture, placeOf(world, { situation, caller: world.people[caller] })) < 300) return { situation, caller }
  throw new Error('Nobody may call this.')
}

async function listWritten(user_id: number): Promise<{ trail: number; changes: number }> {
  const { db } = world.instance.app.store.reader
  const trail = await db.selectFrom('activities').select('id').where('user_id', '=', user_id).execute()
  const changes = await db.selectFrom('change_log').select('seq').where('actor_user_id', '=', user_id).execute()
  return { trail: trail.length, changes: changes.length }
}

test.each(ofRecords.map((endpoint) => [endpoint.route.name, endpoint] as const))('%s', async (name, endpoint) => {
  const { situation, caller } = allowedCall(endpoint)
  const { route } = endpoint
  const fixture = fixtureOf(route)
  const organization = fixture.on.isOfOrganization ? await world.makeOrganization(whereOf(situation)) : undefined
  const place = placeOf(world, { situation, caller: world.people[caller], organization })
  const made = await fixture.on.make(world, place)
  const first = endpoints.find((one) => one.route.name === preparedBy[name])
  if (first) await call(world, first.route, { fixture, place, made })
  const before = await listWritten(place.caller.user_id)
  const { status, text } = await call(world, route, { fixture, place, made })
  expect(status, text).toBeLessThan(300)
  const after = await listWritten(place.caller.user_id)
  expect({ trail: after.trail > before.trail, changes: after.changes > before.changes }).toEqual({
    ...{ trail: !Object.hasOwn(withoutTrail, firstWord(endpoint)), changes: true },
  })
})

test('no write of a record is left out', () => {
  const words = records.flatMap(({ table, routes = [table] }) => routes.map((name) => name.split('.')[0]))
  expect(words.filter((word) => word !== undefined && Object.hasOwn(withoutRecord, word))).toEqual([])
  expect(Object.keys(withoutRecord).filter((word) => !writes.some((endpoint) => firstWord(endpoint) === word))).toEqual([])
})
