import { afterAll, describe, expect, test } from 'vitest'
import { endpoints } from '#main/http/endpoints'
import type { Route } from '#shared/contract/route'
import { inForm } from '#test/support/form'
import type { Json } from '#test/support/instance'
import { pathFor, send } from '#test/support/permissions/call'
import type { Made } from '#test/support/permissions/call-fixture'
import { fixtureOf } from '#test/support/permissions/fixtures'
import { placeOf } from '#test/support/permissions/places'
import { type Caller, callers, makeWorld } from '#test/support/permissions/world'

const world = await makeWorld()
afterAll(() => world.instance.remove())

const users = callers.filter((name) => name !== 'nobody')
const routes = endpoints.map(({ route }) => route)
const routeOf = (name: string) => routes.find((route) => route.name === name)

/** Lists, each with the route that shows one of what it lists. */
const pairs = routes.flatMap((list): Array<[name: string, list: Route, show: Route]> => {
  const show = list.name.endsWith('.list') ? routeOf(list.name.replace(/\.list$/, '.show')) : undefined
  return show && list.list ? [[list.name, list, show]] : []
})

/** The rows of a list from its first page to its last; nothing where it is refused. */
async function readAll(caller: Caller, path: string): Promise<Json[]> {
  const rows: Json[] = []
  for (let page = 1; ; page += 1) {
    const mark = path.includes('?') ? '&' : '?'
    const { status, text } = await send(world, caller, { method: 'GET', path: `${path}${mark}page=${page}&per_page=100` })
    if (status !== 200) return []
    const body: Json = JSON.parse(text)
    const found = Object.values(body).find((value) => Array.isArray(value))
    rows.push(...(Array.isArray(found) ? found : []))
    if (page >= (body.total_pages ?? 1)) return rows
  }
}

/** The last parameter of a route's path: the id of the record itself. */
const lastParam = ({ path }: Route) => /.*:(\w+)/.exec(path)?.[1] ?? 'id'

/** The ids of what a list shows, members by their user’s; a deleted comment stands in its list as a notice, and its show is 404. */
async function idsIn(caller: Caller, path: string, param = 'id'): Promise<Set<number>> {
  const rows = (await readAll(caller, path)).filter((row) => typeof row.deleted_at !== 'string')
  return new Set(rows.map((row): number => (param === 'user_id' ? row.user.id : row.id)))
}

/** Cards are listed of organizations that are asked for. */
function listPath(list: Route, made: Made): string {
  const path = pathFor(list, made)
  const all = Object.values(world.organizations).map(({ id }) => `q[organization_id_in][]=${id}`)
  return list.name === 'corporative_cards.list' ? `${path}?${all.join('&')}` : path
}

async function canShow(caller: Caller, show: Route, made: Made): Promise<boolean> {
  const { status } = await send(world, caller, { method: 'GET', path: pathFor(show, made) })
  return status !== 404 && status !== 410
}

describe.each(pairs)('%s', (_name, list, show) => {
  test.each(users)('shows the %s what show shows, and nothing else', async (name) => {
    const caller = world.people[name]
    const { on } = fixtureOf(show)
    const param = lastParam(show)
    const lists = new Map<string, { made: Made; ids: Set<number> }>()
    for (const situation of on.situations) {
      const made = await on.make(world, placeOf(world, { situation, caller }))
      const path = listPath(list, made)
      const { ids } = lists.get(path) ?? { ids: new Set<number>() }
      lists.set(path, { made, ids: ids.add(Number(made[param])) })
    }
    for (const [path, { made, ids: known }] of lists) {
      // Who may read none of them, in a place that they see, may show none either.
      if ((await send(world, caller, { method: 'GET', path })).status === 403) continue
      const listed = await idsIn(caller, path, param)
      for (const id of listed.union(known))
        expect([id, listed.has(id)]).toEqual([id, await canShow(caller, show, { ...made, [param]: id })])
    }
  })
})

describe('no filter lets anyone see more', () => {
  const paid = ['expenses', 'reimbursements', 'advancements', 'accountabilities']
  test.each(users.flatMap((name) => paid.map((resource) => [resource, name] as const)))('of %s, to the %s', async (resource, name) => {
    const caller = world.people[name]
    const all = await idsIn(caller, `/${resource}`)
    const { elsewhere } = world.organizations
    for (const { id } of Object.values(world.organizations)) {
      const others = [`q[payer_id_in][]=${id}`, `q[payer_id_not_eq]=${id}`, `q[payer_id_gteq]=${id}`]
      for (const filter of [`q[payer_id_eq]=${id}`, ...inForm(id === elsewhere.id ? others : [], others)])
        expect((await idsIn(caller, `/${resource}?${filter}`)).difference(all)).toEqual(new Set())
    }
  })
})

test.each(users)('summaries count for the %s what the list shows', async (name) => {
  const caller = world.people[name]
  const { text } = await send(world, caller, { method: 'GET', path: '/expenses/summary?group_by=status' })
  const summary: { groups: Array<{ count: number }> } = JSON.parse(text)
  const counted = summary.groups.reduce((sum, { count }) => sum + count, 0)
  expect(counted).toBe((await idsIn(caller, '/expenses')).size)
})

test.each(users)('the %s is listed the balances that they may see', async (name) => {
  const caller = world.people[name]
  const get = (path: string) => send(world, caller, { method: 'GET', path: `/advancements/balances${path}` })
  const { my_balances, other_balances }: Json = JSON.parse((await get('')).text)
  for (const { payer, receiver, currency } of [...my_balances.objects, ...other_balances.objects])
    expect((await get(`/${payer.id}?receiver_id=${receiver.id}&currency=${currency}`)).status).toBe(200)
})

/** Where the subjects of activities are shown, and kept. */
const subjects = {
  Expense: ['expenses', '/expenses'],
  Reimbursement: ['reimbursements', '/reimbursements'],
  Advancement: ['advancements', '/advancements'],
  Accountability: ['accountabilities', '/accountability'],
  PreExpense: ['pre_expenses', '/pre_expenses'],
  CorporativeCard: ['corporative_cards', '/corporative_cards'],
  Organization: ['organizations', '/organizations'],
} as const

function isSubject(type: unknown): type is keyof typeof subjects {
  return typeof type === 'string' && Object.hasOwn(subjects, type)
}

test.each(users)('the %s learns nothing from activities about records they cannot see', async (name) => {
  const caller = world.people[name]
  const seen = new Set<string>()
  for (const { subject } of await readAll(caller, '/activities')) {
    if (seen.has(`${subject.type} ${subject.id}`)) continue
    seen.add(`${subject.type} ${subject.id}`)
    const type: unknown = subject.type
    if (!isSubject(type)) continue
    const [table, path] = subjects[type]
    const { status } = await send(world, caller, { method: 'GET', path: `${path}/${subject.id}` })
    if (status !== 404) continue
    const row = await world.instance.app.store.reader.db
      .selectFrom(table)
      .select('deleted_at')
      .where('id', '=', subject.id)
      .executeTakeFirst()
    expect(row?.deleted_at, `${subject.type} ${subject.id}`).not.toBeNull()
  }
})
