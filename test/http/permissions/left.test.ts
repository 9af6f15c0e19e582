import { afterAll, describe, expect, test } from 'vitest'
import { endpoints } from '#main/http/endpoints'
import { deleteMembership, insertMembership } from '#main/store/records/organizations/organization-writer'
import { findMembership } from '#main/store/records/organizations/membership-reader'
import type { Json } from '#test/support/instance'
import { type Asked, call, pathFor } from '#test/support/permissions/call'
import { fixtureOf, fixtures } from '#test/support/permissions/fixtures'
import { type Situation, placeOf } from '#test/support/permissions/places'
import { type Caller, makeWorld } from '#test/support/permissions/world'

const world = await makeWorld()
afterAll(() => world.instance.remove())

const members = { current: 'member', former: 'former member' } as const
/** Relations that count while one is a member, and the one that stays. */
const passing: readonly Situation[] = ['shared with the caller', 'in the charge of the caller']
/** What stays its receiver's: money, and what tells of it. */
const received = /^(expense|reimbursement|advancement|accountabilit|attachment)/

const concerned = (situation: Situation) =>
  endpoints.filter(({ route }) => {
    const on = fixtures[route.name]?.on
    return on !== undefined && on.situations.includes(situation) && on.isList !== true
  })

async function ask(caller: Caller, situation: Situation, name: string): Promise<{ status: number; asked: Asked }> {
  const endpoint = endpoints.find(({ route }) => route.name === name)
  if (!endpoint) throw new Error(`There is no route ${name}.`)
  const fixture = fixtureOf(endpoint.route)
  const place = placeOf(world, { situation, caller })
  const asked = { fixture, place, made: await fixture.on.make(world, place) }
  return { status: (await call(world, endpoint.route, asked)).status, asked }
}

describe.each(passing)('what is %s', (situation) => {
  const names = concerned(situation).map(({ route }) => route.name)
  test.each(names)('is not found for people who have left, by %s', async (name) => {
    const { status } = await ask(world.people[members.former], situation, name)
    expect(status).toBe(404)
  })
  test.each(names)('is seen or not by a member as ever, by %s', async (name) => {
    const { status } = await ask(world.people[members.current], situation, name)
    const isSeen = situation === 'shared with the caller' || name.startsWith('accountabilities.')
    expect(status === 404).toBe(!isSeen)
  })
})

describe('what one received', () => {
  const names = concerned("the caller's own").map(({ route }) => route.name)
  test.each(names.filter((name) => received.test(name)))('stays theirs, by %s', async (name) => {
    expect((await ask(world.people[members.former], "the caller's own", name)).status).not.toBe(404)
  })
  test.each(names.filter((name) => name.startsWith('corporative_cards.')))('a card is not, by %s', async (name) => {
    expect((await ask(world.people[members.former], "the caller's own", name)).status).toBe(404)
  })
})

/** All that lists tell a caller of the organization at home. */
async function listed(caller: Caller): Promise<string[]> {
  const { id } = world.organizations.home
  const lists: Array<[path: string, name: string]> = [
    ...['expenses', 'reimbursements', 'advancements', 'accountabilities'].map((one): [string, string] => [`/${one}`, one]),
    [`/corporative_cards?q[organization_id_in][]=${id}`, 'corporative_cards'],
    ['/activities', 'activities'],
  ]
  const found: string[] = []
  for (const [path, name] of lists)
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { body } = await caller.api.get(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`)
      pages = body.total_pages
      found.push(...body[name].map((row: Json) => (row.subject ? `${row.subject.type} ${row.subject.id}` : `${name} ${row.id}`)))
    }
  return [...new Set(found)].toSorted()
}

test('lists, batches and files show who leaves what they received; rejoining gives the rest back', async () => {
  const caller = world.people.member
  const shown: Array<[path: string, isOwn: boolean]> = []
  for (const name of ['expenses.show', 'reimbursements.show', 'advancements.show', 'accountabilities.show', 'attachments.show'])
    for (const situation of ["the caller's own", ...passing] as const) {
      const { asked, status } = await ask(caller, situation, name)
      const route = endpoints.find((endpoint) => endpoint.route.name === name)?.route
      if (route && status === 200) shown.push([pathFor(route, asked.made), situation === "the caller's own"])
    }
  const statuses = async () => {
    const responses: Array<[path: string, status: number]> = []
    for (const [path] of shown) responses.push([path, (await caller.api.get(path)).status])
    return responses
  }
  const key = { organization_id: world.organizations.home.id, user_id: caller.user_id }
  const before = { listed: await listed(caller), statuses: await statuses() }
  await world.write(caller.user_id, async (tx) => {
    const membership = await findMembership(tx, key)
    if (membership) await deleteMembership(tx, membership, 'organization_left')
  })
  expect(await statuses()).toEqual(shown.map(([path, isOwn]) => [path, isOwn ? 200 : 404]))
  const operations = shown.map(([path]) => ({ method: 'PATCH', path, body: {} }))
  const { body } = await caller.api.send('POST', '/batch', { operations })
  expect(body.results.map(({ status }: Json) => status === 404)).toEqual(shown.map(([, isOwn]) => !isOwn))
  const after = await listed(caller)
  const { user_id } = caller
  const db = world.instance.app.store.reader.db
  for (const table of ['expenses', 'reimbursements', 'advancements'] as const) {
    const ids = after.filter((one) => one.startsWith(`${table} `)).map((one) => Number(one.split(' ')[1]))
    const rows = await db
      .selectFrom(table)
      .select('receiver_id')
      .where('id', 'in', [0, ...ids])
      .execute()
    expect([table, rows.filter(({ receiver_id }) => receiver_id !== user_id)]).toEqual([table, []])
  }
  await world.write(world.people.admin.user_id, (tx) => insertMembership(tx, { ...key, role: 'member' }))
  expect(await statuses()).toEqual(before.statuses)
  expect(await listed(caller)).toEqual(before.listed)
})

test('a receiver who has left does not learn who the members are', async () => {
  const former = world.people['former member']
  const { asked } = await ask(former, "the caller's own", 'expense_mentionables.list')
  const { body } = await former.api.get(`/expenses/${asked.made.expense_id}/mentionables`)
  expect(body.mentionables.map(({ id }: Json) => id)).toEqual([former.user_id])
  const comment = await former.api.send('POST', `/expenses/${asked.made.expense_id}/comments`, { content: 'Ask @adaadmin' })
  expect(comment.body.mentioned_users).toEqual([])
})
