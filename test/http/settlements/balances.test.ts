import { beforeAll, describe, expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import { moveExpense } from '#test/support/expenses'
import { getWithBody } from '#test/support/raw-http'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { approvedExpense, newMoney, recordMoney } from '#test/support/settlements'

let second: { id: number }
const instance = checkedInstance(await instanceOfFile())
beforeAll(async () => {
  const receiver = { id: instance.analyst.user_id, type: 'User' }
  await recordMoney(instance, '/advancements', { amount: 100 })
  await recordMoney(instance, '/advancements', { amount: 50.5 })
  await recordMoney(instance, '/advancement_devolutions', { amount: 20.25 })
  await recordMoney(instance, '/advancements', { amount: 3000, currency: 'JPY' })
  await recordMoney(instance, '/advancements', { amount: 10, receiver })
  await recordMoney(instance, '/advancement_devolutions', { amount: 10, receiver })
  const { id } = await approvedExpense(instance, { amount: 30.25, liquidate_through_advancement: true })
  await approvedExpense(instance, { amount: 99, liquidate_through_advancement: true })
  await moveExpense(instance.manager, id, { status: 'liquidated' })
  second = (await instance.manager.api.send('POST', '/organizations', { name: 'Second' })).body
  const own = { payer: { id: second.id, type: 'Organization' }, receiver: { id: instance.manager.user_id, type: 'User' } }
  expect((await instance.manager.api.send('POST', '/advancements', newMoney(instance, { ...own, amount: 5 }))).status).toBe(201)
})

const inShort = ({ objects }: Json) => objects.map(({ amount, currency, receiver }: Json) => [receiver.name, amount, currency])
const names = (parties: Json[]) => parties.map(({ name }) => name)
const balances = async (person: Person, query = '') => (await person.api.get(`/advancements/balances${query}`)).body

describe('one’s own balances and those of others', () => {
  test('are the net of advancements, devolutions and expenses liquidated through advancement', async () => {
    const body = await balances(instance.member)
    expect(body.my_balances).toEqual({
      count: 2,
      objects: [
        {
          amount: 100,
          currency: 'BRL',
          payer: { id: instance.organization_id, uid: expect.any(String), name: 'Acme', type: 'Organization' },
          receiver: { id: instance.member.user_id, uid: expect.any(String), name: 'Mel Member', type: 'User' },
        },
        expect.objectContaining({ amount: 3000, currency: 'JPY' }),
      ],
    })
    expect(body.other_balances).toEqual({ count: 0, objects: [] })
    expect(names(body.available_payers)).toEqual(['Acme'])
    expect(names(body.available_receivers)).toEqual(['Mel Member'])
    expect(body.available_payers[0].logo).toEqual([])
  })
  test('of others are those that the caller may see; one that came to zero stays', async () => {
    const body = await balances(instance.manager)
    expect(inShort(body.my_balances)).toEqual([['Max Manager', 5, 'BRL']])
    expect(inShort(body.other_balances)).toEqual([
      ['Ann Analyst', 0, 'BRL'],
      ['Mel Member', 100, 'BRL'],
      ['Mel Member', 3000, 'JPY'],
    ])
    expect(names(body.available_payers).sort()).toEqual(['Acme', 'Second'])
    const analyst = await balances(instance.analyst)
    expect(inShort(analyst.my_balances)).toEqual([['Ann Analyst', 0, 'BRL']])
    expect(analyst.other_balances.count).toBe(2)
    const nothing = { count: 0, objects: [] }
    expect(await balances(instance.stranger)).toEqual({
      available_payers: [],
      available_receivers: [],
      my_balances: nothing,
      other_balances: nothing,
    })
  })
  test.each([
    ['q[balance_gteq]=101', ['JPY']],
    ['q[balance_gteq]=100', ['BRL', 'JPY']],
    ['q[balance_lteq]=0', ['zero']],
    ['q[balance_gteq]=-1&q[balance_lteq]=100', ['zero', 'BRL']],
    ['q[currency]=JPY', ['JPY']],
    ['q[currency]=USD', []],
  ])('%s', async (query, expected) => {
    const { other_balances, available_receivers } = await balances(instance.admin, `?${query}`)
    expect(
      other_balances.objects
        .filter(({ payer }: Json) => payer.id === instance.organization_id)
        .map(({ amount, currency }: Json) => (amount === 0 ? 'zero' : currency)),
    ).toEqual(expected)
    expect(available_receivers).toHaveLength(2)
  })
  test('payer and receiver filter, in the JSON body of a GET too; the body wins', async () => {
    const path = `/advancements/balances?q[receiver_id]=${instance.analyst.user_id}&q[payer_id]=${instance.organization_id}`
    expect(inShort((await instance.manager.api.get(path)).body.other_balances)).toEqual([['Ann Analyst', 0, 'BRL']])
    const q = { receiver_id: instance.member.user_id, balance_gteq: 1000 }
    const { body } = await getWithBody(instance.url, instance.manager, { path, body: { q } })
    expect(inShort(body.other_balances)).toEqual([['Mel Member', 3000, 'JPY']])
    expect(body.my_balances.count).toBe(0)
  })
  test.each(['q[amount_gteq]=1', 'q[balance_gteq]=much', 'q[payer_id]=x', 'q[currency][]=BRL', 'q[receiver_id_eq]=1'])(
    '%s is refused',
    async (query) => {
      const { status, body } = await instance.manager.api.get(`/advancements/balances?${query}`)
      expect([status, Object.keys(body.errors)]).toEqual([422, ['q']])
    },
  )
})

describe('the balances of the organizations that one manages', () => {
  const path = '/advancements/balances/organizations'
  test('are a paged list without one’s own', async () => {
    const { body, headers } = await instance.manager.api.get(`${path}?per_page=2`)
    expect(body).toMatchObject({ count: 3, current_page: 1, total_pages: 2 })
    expect(inShort({ objects: body.balances })).toEqual([
      ['Ann Analyst', 0, 'BRL'],
      ['Mel Member', 100, 'BRL'],
    ])
    expect(headers.get('link')).toContain('rel=next')
    expect((await instance.manager.api.get(`${path}?per_page=2&page=2`)).body.balances).toHaveLength(1)
    expect((await instance.manager.api.get(`${path}?page=0`)).status).toBe(422)
  })
  test('are empty for who manages none', async () => {
    for (const person of [instance.analyst, instance.member])
      expect((await person.api.get(path)).body).toMatchObject({ count: 0, total_pages: 0, balances: [] })
  })
})

describe('one balance', () => {
  const pathOf = (receiver: Person, currency = 'BRL', payer_id = instance.organization_id) =>
    `/advancements/balances/${payer_id}?receiver_id=${receiver.user_id}&currency=${currency}`

  test('is shown to its receiver and to reviewers', async () => {
    for (const person of [instance.member, instance.analyst, instance.admin])
      expect((await person.api.get(pathOf(instance.member))).body).toMatchObject({ amount: 100, currency: 'BRL' })
    const q = { receiver_id: instance.member.user_id, currency: 'JPY' }
    const at = `/advancements/balances/${instance.organization_id}`
    expect((await getWithBody(instance.url, instance.member, { path: at, body: q })).body.amount).toBe(3000)
  })
  test('is zero where nothing makes it', async () => {
    expect((await instance.member.api.get(pathOf(instance.member, 'USD'))).body).toMatchObject({ amount: 0, currency: 'USD' })
    expect((await instance.manager.api.get(pathOf(instance.admin))).body).toMatchObject({ amount: 0, receiver: { name: 'Ada Admin' } })
  })
  test('needs receiver and currency', async () => {
    const { status, body } = await instance.manager.api.get(`/advancements/balances/${instance.organization_id}`)
    expect([status, body.errors]).toEqual([422, { receiver_id: ["can't be blank"], currency: ["can't be blank"] }])
    expect((await instance.manager.api.get(pathOf(instance.member, 'XX'))).body.errors).toEqual({
      currency: ['is not included in the list'],
    })
  })
  test('is not found for people who may not see it, nor between users without a relation', async () => {
    const colleague = await instance.addUser('Carl Colleague', 'member')
    for (const [person, path] of [
      [colleague, pathOf(instance.member)],
      [instance.stranger, pathOf(instance.member)],
      [instance.stranger, pathOf(instance.stranger)],
      [instance.manager, pathOf(instance.stranger)],
      [instance.manager, pathOf(instance.manager, 'BRL', 999_999)],
      [instance.member, pathOf(instance.member, 'BRL', second.id)],
    ] as const)
      expect((await person.api.get(path)).status, path).toBe(404)
  })
  test('stays visible to who has left the organization with its money', async () => {
    const leaver = await instance.addUser('Lea Leaver', 'member')
    await recordMoney(instance, '/advancements', { amount: 40, receiver: { id: leaver.user_id, type: 'User' } })
    await leaver.api.send('DELETE', `/organizations/${instance.organization_id}/members`)
    expect(inShort((await balances(leaver)).my_balances)).toEqual([['Lea Leaver', 40, 'BRL']])
    expect((await leaver.api.get(pathOf(leaver))).body.amount).toBe(40)
    expect((await instance.manager.api.get(pathOf(leaver))).body.amount).toBe(40)
  })
})
