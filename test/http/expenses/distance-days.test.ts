import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { distanceAmountMinor, parseRate } from '#shared/domain/distance'
import { systemClock } from '#main/clock'
import { checked } from '#test/support/contract'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'
import { type ReplicaInstance, startReplica } from '#test/support/sync/replica'

let instance: Instance
let rules: string
let replica: ReplicaInstance
let today = '2026-01-10'
beforeAll(async () => {
  instance = await startInstance({ clock: { ...systemClock, now: () => new Date(`${today}T12:00:00Z`) } })
  rules = `/organizations/${instance.organization_id}/distances_rules`
  await set({ amount: 0.655, currency: 'USD', distance_kind: 'mi' })
  await set({ amount: 0.7, valid_from: '2026-01-01' })
  replica = await startReplica(instance.url, instance.admin)
  await replica.sync()
})
afterAll(async () => {
  await replica.remove()
  await instance.remove()
})

const set = async (body: unknown): Promise<Json> => (await checked(instance.admin.api).send('POST', rules, body)).body
const ride = (occurred_at: string, distance = 100) => ({ kind: 'distance', distance, distance_kind: 'mi', occurred_at })
const change = async (id: number, body: unknown) => (await instance.member.api.send('PATCH', `/expenses/${id}`, body)).body

describe('a trip', () => {
  test('that is entered late has the rate of its day, in the last second of it too', async () => {
    const price = async (day: string) => (await recordExpense(instance, instance.member, ride(day))).amount
    expect([await price('2025-12-20'), await price('2025-12-31T23:59:59Z'), await price('2026-01-01')]).toEqual([65.5, 65.5, 70])
  })

  test('whose distance is corrected keeps the rate of its day', async () => {
    const { id } = await recordExpense(instance, instance.member, ride('2025-12-20'))
    expect(await change(id, { distance: 101 })).toMatchObject({ amount: 66.16 })
    expect(await change(id, { distance: 160.9344, distance_kind: 'km' })).toMatchObject({ amount: 65.5 })
  })

  test('that moves to a day of another rate has that rate; on a day of the same rate it keeps its price', async () => {
    const { id } = await recordExpense(instance, instance.member, ride('2025-12-20'))
    expect(await change(id, { occurred_at: '2026-01-02' })).toMatchObject({ amount: 70 })
    await set({ amount: 0.71, valid_from: '2026-01-01' })
    expect(await change(id, { occurred_at: '2026-01-03' })).toMatchObject({ amount: 70 })
    expect(await change(id, { distance: 101 })).toMatchObject({ amount: 71.71 })
    await set({ amount: 0.7, valid_from: '2026-01-01' })
  })

  test('is priced the same way by a replica, without a network and after it', async () => {
    const { body: made } = await replica.api.send<Json>('POST', '/expenses', newExpense(instance, ride('2025-12-20')))
    const { body: later } = await replica.api.send<Json>('POST', '/expenses', newExpense(instance, ride('2026-02-01')))
    expect([made.amount, later.amount]).toEqual([65.5, 70])
    expect((await replica.api.send('PATCH', `/expenses/${made.id}`, { distance: 101 })).body).toMatchObject({ amount: 66.16 })
    expect(await replica.sync()).toMatchObject({ conflicts: 0, failed: 0 })
    expect((await instance.admin.api.get(`/expenses/${made.id}`)).body).toMatchObject({ amount: 66.16 })
  })
})

describe('the list of rules', () => {
  test('is the rule of today, and all of them with all=true', async () => {
    const days = async (query = ''): Promise<unknown> =>
      (await checked(instance.member.api).get(`${rules}${query}`)).body.map(({ amount, valid_from }: Json) => [amount, valid_from])
    expect(await days()).toEqual([[0.7, '2026-01-01']])
    expect(await days('?all=true')).toEqual([
      [0.7, '2026-01-01'],
      [0.655, null],
    ])
    today = '2025-12-31'
    expect(await days()).toEqual([[0.655, null]])
    today = '2026-01-10'
  })

  test('a rule that a replica sets from a day reaches its remote, with what is left out kept', async () => {
    await replica.api.send('POST', rules, { amount: 0.725, valid_from: '2027-01-01' })
    expect(await replica.sync()).toMatchObject({ conflicts: 0, failed: 0 })
    const { body } = await instance.admin.api.get<Json>(`${rules}?all=true`)
    expect(body[0]).toMatchObject({ amount: 0.725, currency: 'USD', distance_kind: 'mi', valid_from: '2027-01-01' })
    expect((await instance.admin.api.get<Json>('/activities')).body.activities[0].details).toEqual([
      { attribute: 'amount', from: null, to: 0.725 },
      { attribute: 'currency', from: null, to: 'USD' },
      { attribute: 'distance_kind', from: null, to: 'mi' },
      { attribute: 'valid_from', from: null, to: '2027-01-01T00:00:00Z' },
    ])
  })

  test('refuses a day that does not exist', async () => {
    const { status, body } = await instance.admin.api.send('POST', rules, { amount: 1, valid_from: '2026-02-30' })
    expect({ status, body }).toEqual({ status: 422, body: { errors: { valid_from: ['is invalid'] } } })
  })
})

test('the price of a trip depends on its day alone: not on when and in which steps it was entered', async () => {
  const { body: organization } = await instance.admin.api.send<Json>('POST', '/organizations', { name: 'Roads' })
  const { admin } = instance
  const own = `/organizations/${organization.id}/distances_rules`
  const rates = [
    [null, 0.5],
    ['2025-06-01', 0.61],
    ['2026-01-01', 0.7],
    ['2026-03-01', 0.655_125],
  ] as const
  for (const [valid_from, amount] of rates.toSorted(([, a], [, b]) => b - a))
    if (valid_from !== null) await admin.api.send('POST', own, { amount, currency: 'USD', distance_kind: 'mi', valid_from })
  const priceOf = (day: string, distance: number) => {
    const [, amount] = rates.findLast(([from]) => from !== null && from <= day) ?? [null, 1]
    const rate = parseRate(amount, amount === 1 ? 'BRL' : 'USD')
    if (rate.kind !== 'ok') throw new Error(rate.kind)
    const rule = { ...rate, currency: amount === 1 ? 'BRL' : 'USD', distance_kind: amount === 1 ? 'km' : 'mi' } as const
    return (distanceAmountMinor(distance, 'mi', rule) ?? 0) / 100
  }
  const day = fc
    .integer({ min: Date.parse('2025-05-25') / 86_400_000, max: Date.parse('2026-03-08') / 86_400_000 })
    .map((count) => new Date(count * 86_400_000).toISOString().slice(0, 10))
  const distance = fc.integer({ min: 1, max: 9999 }).map((tenths) => tenths / 10)
  const step = fc.record({ entered: day, body: fc.record({ occurred_at: day, distance }, { requiredKeys: [] }) })
  try {
    await fc.assert(
      fc.asyncProperty(step, day, distance, fc.array(step, { maxLength: 4 }), async (first, on, far, steps) => {
        today = first.entered
        const payer = { id: organization.id, type: 'Organization' }
        const { body: made } = await admin.api.send<Json>('POST', '/expenses', { payer, ...ride(on, far) })
        let trip = { occurred_at: on, distance: far }
        for (const { entered, body } of steps) {
          today = entered
          trip = { ...trip, ...body }
          await admin.api.send('PATCH', `/expenses/${made.id}`, body)
        }
        const { body: stored } = await admin.api.get<Json>(`/expenses/${made.id}`)
        expect(stored.amount).toBe(priceOf(trip.occurred_at, trip.distance))
      }),
      { numRuns: 25 },
    )
  } finally {
    today = '2026-01-10'
  }
})

test('a rule without a day holds for all days: it ends those with a day, and the trail says so', async () => {
  await set({ amount: 0.8 })
  expect((await instance.admin.api.get<Json>(`${rules}?all=true`)).body).toMatchObject([{ amount: 0.8, valid_from: null }])
  expect(await recordExpense(instance, instance.member, ride('2026-05-01'))).toMatchObject({ amount: 80 })
  const { activities } = (await instance.admin.api.get<Json>('/activities?per_page=10')).body
  const ended = activities.filter(({ details }: Json) => details.some(({ attribute, to }: Json) => attribute === 'amount' && to === null))
  expect(ended.map(({ changes }: Json) => changes)).toEqual([
    expect.stringContaining('the first day from 1 Jan 2026'),
    expect.stringContaining('the first day from 1 Jan 2027'),
  ])
})
