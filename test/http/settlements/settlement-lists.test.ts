import { beforeAll, describe, expect, test } from 'vitest'
import { checkedInstance, routeOf } from '#test/support/contract'
import { getWithBody } from '#test/support/raw-http'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { newMoney, recordMoney } from '#test/support/settlements'

const instance = checkedInstance(await instanceOfFile())
const elsewhere: { id: number } = (await instance.stranger.api.send('POST', '/organizations', { name: 'Elsewhere' })).body

describe.each(['reimbursements', 'advancements'] as const)('the list of %s', (plural) => {
  const path = `/${plural}`
  const made: Json[] = []
  beforeAll(async () => {
    const analyst = { id: instance.analyst.user_id, type: 'User' }
    made.push(await recordMoney(instance, path, { amount: 10, tags: ['Travel', 'fair'], date: '2026-01-01' }))
    made.push(await recordMoney(instance, path, { amount: 20, tags: ['travel'], description: 'Second half' }))
    made.push(await recordMoney(instance, path, { amount: 1500, currency: 'JPY', receiver: analyst, date: '2026-06-01' }))
    const foreign = {
      ...newMoney(instance, { amount: 7 }),
      payer: { id: elsewhere.id, type: 'Organization' },
      receiver: { id: instance.stranger.user_id, type: 'User' },
    }
    expect((await instance.stranger.api.send('POST', path, foreign)).status).toBe(201)
  })
  const list = async (person: Person, query = '') => (await person.api.get(`${path}?${query}`)).body
  const found = async (query: string, person = instance.manager) =>
    (await list(person, query))[plural].map(({ id }: Json) => made.findIndex((one) => one.id === id))

  test('shows reviewers their organizations’, others their own, newest first', async () => {
    const body = await list(instance.manager)
    expect(body).toMatchObject({ count: 3, current_page: 1, total_pages: 1 })
    expect(body[plural]).toEqual([...made].reverse())
    expect(await found('', instance.analyst)).toEqual([2, 1, 0])
    expect(await found('', instance.member)).toEqual([1, 0])
    expect((await list(instance.stranger)).count).toBe(1)
  })
  test('shows who was mentioned what they were mentioned in', async () => {
    const guest = await instance.addUser(`Gus ${plural}`, 'member')
    expect(await found('', guest)).toEqual([])
    await instance.member.api.send('POST', `${path}/${made[0].id}/comments`, { content: `@gus${plural} knows` })
    expect(await found('', guest)).toEqual([0])
    expect((await guest.api.get(`${path}/${made[0].id}`)).status).toBe(200)
  })
  test('comes in pages', async () => {
    const response = await instance.manager.api.get(`${path}?per_page=2&page=2`)
    expect(response.body).toMatchObject({ count: 3, current_page: 2, total_pages: 2 })
    expect(response.body[plural]).toHaveLength(1)
    expect(response.headers.get('link')).toContain('rel=prev')
  })
  test.each([
    ['q[amount_gteq]=20', [2, 1]],
    ['q[amount_lteq]=10', [0]],
    ['q[amount_gteq]=10&q[amount_lteq]=20&sort=amount', [0, 1]],
    ['q[has_tag]=1', [1, 0]],
    ['q[has_tag]=0', [2]],
    ['q[has_tag]=', [2, 1, 0]],
    ['q[search_tags]=TRAVEL', [1, 0]],
    ['q[search_tags]=travel,fair', [0]],
    ['q[search_tags]=nothing', []],
    ['q[description_cont]=HALF', [1]],
    ['q[currency_in][]=JPY', [2]],
    ['q[date_lt]=2026-02-01', [0]],
    ['q[created_at_gteq]=2000-01-01', [2, 1, 0]],
    ['q[updated_at_lteq]=2000-01-01', []],
    ['sort=-amount', [2, 1, 0]],
    ['sort=date', [0, 1, 2]],
  ])('%s', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })
  test('payer and receiver filter, in the JSON body of a GET too', async () => {
    expect(await found(`q[receiver_id_eq]=${instance.analyst.user_id}`)).toEqual([2])
    expect(await found(`q[payer_id_eq]=${elsewhere.id}`)).toEqual([])
    const body = { q: { amount_gteq: 20, receiver_id_eq: instance.member.user_id, payer_id_eq: instance.organization_id } }
    const response = await getWithBody(instance.url, instance.manager, { path, body })
    expect(response.body[plural].map(({ id }: Json) => id)).toEqual([made[1].id])
  })
  test.each(['q[status_eq]=approved', 'q[amount_gteq]=much', 'q[has_tag]=2', 'q[created_at_gteq]=2026-02-30'])(
    '%s is refused',
    async (query) => {
      const { status, body } = await instance.manager.api.get(`${path}?${query}`)
      expect([status, Object.keys(body.errors)]).toEqual([422, ['q']])
    },
  )
})

test.each([
  ['/reimbursements/new', 'reimbursements.new'],
  ['/reimbursements/12', 'reimbursements.show'],
  ['/advancements/balances', 'balances.list'],
  ['/advancements/balances/organizations', 'balances.list_organizations'],
  ['/advancements/balances/12', 'balances.show'],
  ['/advancements/12', 'advancements.show'],
  ['/advancements/12/comments', 'advancement_comments.list'],
])('%s leads to %s, in a batch as over HTTP', async (path, name) => {
  expect(routeOf('GET', path).name).toBe(name)
  const { status, body } = await instance.stranger.api.get(path)
  const is = { 'reimbursements.new': [422, ['errors']], 'balances.show': [422, ['errors']] }[name]
  const lists = { 'balances.list': 'my_balances', 'balances.list_organizations': 'balances' }[name]
  if (is) expect([status, Object.keys(body)]).toEqual(is)
  else if (lists) expect([status, Object.keys(body)]).toEqual([200, expect.arrayContaining([lists])])
  else expect(status).toBe(404)
})
