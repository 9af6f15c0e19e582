import { isDeepStrictEqual } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { feedStreams } from '#shared/contract/instance/feed'
import { type Scope, hasScope, neededScope, scopeForOthers, scopes } from '#shared/domain/doors/scopes'
import { isOpen } from '#shared/domain/permissions'
import { endpoints } from '#main/http/endpoints'
import { createToken } from '#main/use-cases/users/tokens'
import { apiOf } from '#test/support/instance'
import { requestFor, send } from '#test/support/permissions/call'
import { fixtureOf } from '#test/support/permissions/fixtures'
import { placeOf } from '#test/support/permissions/places'
import { type Caller, type CallerName, makeWorld } from '#test/support/permissions/world'

const world = await makeWorld()
afterAll(() => world.instance.remove())

const routes = [...endpoints.map(({ route }) => route), ...Object.values(feedStreams)].filter(({ action }) => !isOpen(action))

/** A caller of the world with a token that has these scopes. */
async function scopedCaller(name: CallerName, held: readonly Scope[]): Promise<Caller> {
  const caller = world.people[name]
  const made = { user_id: caller.user_id, description: 'scoped', scopes: held }
  const { token } = await world.write(caller.user_id, (tx) => createToken(tx, made))
  const authorization = `Basic ${Buffer.from(`${token}:`).toString('base64')}`
  return { ...caller, api: apiOf(world.instance.url, token), credentials: { authorization } }
}

/** What a refused call leaves as it is: the last change of the log, and how many sessions and tokens there are. */
async function lastWrites(): Promise<unknown[]> {
  const { db } = world.instance.app.store.reader
  const count = (table: 'sessions' | 'api_tokens') =>
    db
      .selectFrom(table)
      .select((one) => one.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  // What goes out by mail is noted on invitations meanwhile, and others are notified.
  const changes = db
    .selectFrom('change_log')
    .where('table_name', '!=', 'invitations')
    .where((of) => of.not(of.and([of('table_name', '=', 'user_notifications'), of('actor_user_id', '=', 0)])))
  const last = changes.select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return Promise.all([last, count('sessions'), count('api_tokens')])
}

const named: Readonly<Record<Scope, RegExp>> = { read: /“read”/, write: /“write”/, review: /“review”/, pay: /“pay”/, admin: /“admin”/ }

/** What a route is called on, and the request: of one whose calls were all refused the next scope is tried on the same. */
const prepared = new Map<string, Awaited<ReturnType<typeof requestFor>>>()

async function prepare(route: (typeof routes)[number]): Promise<Awaited<ReturnType<typeof requestFor>>> {
  const fixture = fixtureOf(route)
  const situation = fixture.on.situations.includes("the caller's own") ? "the caller's own" : (fixture.on.situations[0] ?? 'at home')
  const organization = fixture.on.isOfOrganization === true ? await world.makeOrganization('home') : undefined
  // The same person, who prepares with a token that may do everything.
  const place = placeOf(world, { situation, caller: world.people.admin, ...(organization && { organization }) })
  return requestFor(world, route, { fixture, place, made: await fixture.on.make(world, place) })
}

/** Calls a route as a caller with one scope; answers what is wrong. */
async function prove(route: (typeof routes)[number], { scope, caller }: { scope: Scope; caller: Caller }): Promise<string[]> {
  const request = prepared.get(route.name) ?? (await prepare(route))
  prepared.set(route.name, request)
  const needed = neededScope(route, request.body)
  const before = await lastWrites()
  const { status, text } = await send(world, caller, request)
  const isRefusedFor = (missing: Scope) => status === 403 && named[missing].test(text)
  const isWrong = `${route.name}: ${status} ${text}`
  if (hasScope([scope], needed)) {
    prepared.delete(route.name)
    // What it may do is decided by everything else; a record that is another's may need more.
    const isFine = /needs the scope/.test(text) ? isRefusedFor(scopeForOthers(route) ?? 'read') : status !== 401
    return isFine ? [] : [isWrong]
  }
  if (!isRefusedFor(needed)) return [isWrong]
  return isDeepStrictEqual(await lastWrites(), before) ? [] : [`${route.name}: a refused call changed something`]
}

test.each(scopes)('a token with the scope %s alone may call each route only as far as it goes', async (scope) => {
  const caller = await scopedCaller('admin', [scope])
  const wrong: string[] = []
  for (const route of routes) wrong.push(...(await prove(route, { scope, caller })))
  expect(wrong).toEqual([])
})

test('a token of a reviewer that may write what is theirs changes no other expense, and records none for another', async () => {
  const { api } = world.people.member
  const writer = await scopedCaller('analyst', ['write'])
  const reviewer = await scopedCaller('analyst', ['write', 'review'])
  const payer = { type: 'Organization', id: world.organizations.home.id }
  const expense = { amount: 5, description: 'Taxi', kind: 'monetary', currency: 'BRL', occurred_at: '2026-03-04T00:00:00Z', payer }
  const { body } = await api.send('POST', '/expenses', expense)
  const own = await writer.api.send('POST', '/expenses', expense)
  expect(own.status).toBe(201)
  expect((await writer.api.send('PATCH', `/expenses/${own.body.id}`, { description: 'Bus' })).status).toBe(200)
  const statuses: number[] = []
  for (const { api: by } of [writer, reviewer])
    for (const [method, path, sent] of [
      ['PATCH', `/expenses/${body.id}`, { description: 'Bus' }],
      ['PUT', `/expenses/${body.id}/status`, { status: 'analyzing' }],
      ['POST', '/expenses', { ...expense, receiver: { type: 'User', id: world.people.member.user_id } }],
    ] as const)
      statuses.push((await by.send(method, path, sent)).status)
  expect(statuses).toEqual([403, 403, 403, 200, 200, 201])
})

test('a batch and a push are judged by each of their operations', async () => {
  const reader = await scopedCaller('admin', ['read'])
  const operations = [
    { method: 'PATCH', path: '/preferences', body: { timezone: 'Etc/UTC' } },
    { method: 'POST', path: '/user/tokens', body: { description: 'more' } },
  ]
  for (const atomic of [false, true]) {
    const { body } = await reader.api.send('POST', '/batch', { atomic, operations })
    expect(body.results[0].status).toBe(403)
    expect(body.results[0].body.errors.message).toContain('“write”')
  }
})

test('what is paid needs the scope pay, also for an admin who may review', async () => {
  const { api } = await scopedCaller('admin', ['write', 'review'])
  const { status, body } = await api.send('PUT', '/expenses/1/status', { status: 'liquidated' })
  expect([status, body.errors.message]).toEqual([403, expect.stringContaining('“pay”')])
})
