import { describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import { newExpense } from '#test/support/expenses'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const instance = await instanceOfFile()
const rules = `/organizations/${instance.organization_id}/distances_rules`

const api = (person: Person): Api => checked(person.api)
const set = (body: unknown, person = instance.admin) => person.api.send<Json>('POST', rules, body)

describe('GET distances_rules', () => {
  test('shows every member the default rule, with a null id, where none is set', async () => {
    const { body: organization } = await instance.stranger.api.send<Json>('POST', '/organizations', { name: 'New' })
    const { status, body } = await api(instance.stranger).get(`/organizations/${organization.id}/distances_rules`)
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        id: null,
        uid: null,
        version: null,
        organization_id: organization.id,
        amount: 1,
        currency: 'BRL',
        distance_kind: 'km',
        valid_from: null,
      },
    ])
  })

  test('is hidden from strangers', async () => {
    expect((await instance.stranger.api.get(rules)).status).toBe(404)
  })
})

describe('POST distances_rules', () => {
  test('sets the rule, keeps what is not sent, and prices what comes after', async () => {
    const first = await api(instance.admin).send('POST', rules, { amount: 0.65, currency: 'USD', distance_kind: 'mi' })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject([
      { organization_id: instance.organization_id, amount: 0.65, currency: 'USD', distance_kind: 'mi', version: 1 },
    ])
    const second = await api(instance.admin).send('POST', rules, { amount: '0.70' })
    expect(second.body).toMatchObject([{ id: first.body[0].id, amount: 0.7, currency: 'USD', distance_kind: 'mi', version: 2 }])
    expect((await api(instance.member).get(rules)).body).toEqual(second.body)
    const ride = newExpense(instance, { kind: 'distance', distance: 10, distance_kind: 'mi' })
    expect((await instance.member.api.send('POST', '/expenses', ride)).body).toMatchObject({ amount: 7, currency: 'USD' })
  })

  test('keeps up to six decimals; only the amount that it makes is rounded, half up', async () => {
    const { body } = await api(instance.admin).send('POST', rules, { amount: 0.655, currency: 'USD', distance_kind: 'mi' })
    expect(body).toMatchObject([{ amount: 0.655, currency: 'USD' }])
    const price = async (distance: number) => {
      const ride = newExpense(instance, { kind: 'distance', distance, distance_kind: 'mi' })
      return (await instance.member.api.send('POST', '/expenses', ride)).body.amount
    }
    expect([await price(1), await price(3), await price(100)]).toEqual([0.66, 1.97, 65.5])
    await api(instance.admin).send('POST', rules, { amount: '0.000125' })
    expect((await api(instance.member).get(rules)).body).toMatchObject([{ amount: 0.000_125 }])
    const { activities } = (await instance.admin.api.get('/activities')).body
    expect(activities[0].changes).toContain('USD\u00a00.655 to USD\u00a00.000125')
  })

  test.each([
    [{}, { amount: ["can't be blank"] }],
    [{ amount: 'much' }, { amount: ['is not a number'] }],
    [{ amount: 0 }, { amount: ['must be greater than 0'] }],
    [{ amount: -1 }, { amount: ['must be greater than 0'] }],
    [{ amount: 0.6550001 }, { amount: ['has more than 6 decimals'] }],
    [{ amount: 1_000_000_001 }, { amount: ['is too large'] }],
    [{ amount: 1, currency: 'XXQ' }, { currency: ['is not included in the list'] }],
    [{ amount: 1, distance_kind: 'league' }, { distance_kind: ['is not included in the list'] }],
  ])('refuses %j', async (body, errors) => {
    const response = await set(body)
    expect({ status: response.status, body: response.body }).toEqual({ status: 422, body: { errors } })
  })

  test('is for admins, in both languages', async () => {
    for (const person of [instance.manager, instance.analyst, instance.member])
      expect(await set({ amount: 2 }, person)).toMatchObject({
        status: 403,
        body: { errors: { message: 'You are not allowed to do this.' } },
      })
    const { body } = await instance.member.api.send('POST', rules, { amount: 2 }, { 'accept-language': 'pt' })
    expect(body).toEqual({ errors: { message: 'Você não tem permissão para fazer isso.' } })
    expect((await set({ amount: 2 }, instance.stranger)).status).toBe(404)
  })

  test('refuses a stale change', async () => {
    const { headers } = await instance.admin.api.get(rules)
    await set({ amount: 3 })
    expect((await instance.admin.api.send('POST', rules, { amount: 4 }, { 'if-match': headers.get('etag') ?? '' })).status).toBe(412)
  })

  test('is rejected for an expired organization', () =>
    whileExpired(instance, async () => {
      expect((await set({ amount: 5 })).status).toBe(402)
      expect((await set({ amount: 5 }, instance.member)).status).toBe(402)
      expect((await instance.member.api.get(rules)).status).toBe(200)
    }))
})
