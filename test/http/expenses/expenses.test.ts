import { describe, expect, test } from 'vitest'
import type { Api, Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { checked } from '#test/support/contract'
import { newExpense } from '#test/support/expenses'

const instance = await instanceOfFile()
const api = checked(instance.member.api)

const create = (attributes: Json = {}, as: Api = api) => as.send('POST', '/expenses', newExpense(instance, attributes))

describe('create', () => {
  test('an empty body names exactly payer, occurred_at and amount', async () => {
    const { status, body } = await instance.member.api.send('POST', '/expenses', {})
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(['amount', 'occurred_at', 'payer'])
    expect(body.errors.amount).toEqual(["can't be blank"])
    const pt = await instance.member.api.send('POST', '/expenses', {}, { 'accept-language': 'pt' })
    expect(pt.body.errors.amount).toEqual(['não pode ficar em branco'])
  })

  test('returns what was stored, with the contract’s links', async () => {
    const { status, body, headers } = await create({
      description: 'Taxi',
      tags: 'travel, taxi',
      latitude: -23.5,
      longitude: -46.6,
      location: 'São Paulo',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      description: 'Taxi',
      kind: 'monetary',
      amount: 12.5,
      currency: 'BRL',
      approved_amount: null,
      approved_amount_currency: null,
      status: 'awaiting_analysis',
      occurred_at: '2026-03-04T00:00:00Z',
      tags: 'travel, taxi',
      latitude: -23.5,
      longitude: -46.6,
      location: 'São Paulo',
      attachments: [],
      attachments_count: 0,
      comments_count: 0,
      activities_count: 1,
      version: 1,
      liquidate_through_advancement: false,
      payer: { id: instance.organization_id, name: 'Acme', type: 'Organization', logo: [] },
      receiver: { id: instance.member.user_id, name: 'Mel Member', type: 'User', avatar: [] },
    })
    const href = `/expenses/${body.id}`
    expect(body._links).toEqual([
      { rel: 'self', method: 'GET', href: `${instance.url}/api/v1${href}` },
      { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1${href}` },
      { rel: 'partial_update', method: 'PATCH', href: `${instance.url}/api/v1${href}` },
      { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1${href}` },
      { rel: 'activities', method: 'GET', href: `${instance.url}/api/v1${href}/activities` },
    ])
    const shown = await api.get(href)
    expect(shown.body).toEqual(body)
    expect(shown.headers.get('etag')).toBe(headers.get('etag'))
  })

  test('parties may be plain ids', async () => {
    const { payer: _payer, ...rest } = newExpense(instance)
    const body = { ...rest, payer_id: instance.organization_id, receiver_id: instance.member.user_id }
    expect((await checked(instance.analyst.api).send('POST', '/expenses', body)).body.receiver.id).toBe(instance.member.user_id)
  })

  test.each([
    [{ payer: { id: 999, type: 'Organization' } }, 'payer'],
    [{ payer: { id: 1, type: 'User' } }, 'payer'],
    [{ payer: 'Acme' }, 'payer'],
    [{ receiver: { id: 1, type: 'Organization' } }, 'receiver'],
    [{ amount: 0 }, 'amount'],
    [{ amount: -1 }, 'amount'],
    [{ amount: 'ten' }, 'amount'],
    [{ amount: true }, 'amount'],
    [{ amount: null }, 'amount'],
    [{ amount: 1e20 }, 'amount'],
    [{ currency: 'EURO' }, 'currency'],
    [{ occurred_at: '2023-02-30' }, 'occurred_at'],
    [{ occurred_at: 'yesterday' }, 'occurred_at'],
    [{ occurred_at: 20230101 }, 'occurred_at'],
    [{ latitude: 91 }, 'latitude'],
    [{ longitude: 'west' }, 'longitude'],
    [{ kind: 'other' }, 'kind'],
    [{ tags: [1] }, 'tags'],
    [{ description: 5 }, 'description'],
    [{ liquidate_through_advancement: 'yes' }, 'liquidate_through_advancement'],
    [{ corporative_card_id: 999 }, 'corporative_card_id'],
    [{ kind: 'distance' }, 'distance'],
    [{ kind: 'distance', distance: 0 }, 'distance'],
    [{ kind: 'distance', distance: 5, distance_kind: 'league' }, 'distance_kind'],
  ])('%j is 422 under %s alone', async (attributes, attribute) => {
    const { status, body } = await create(attributes)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([attribute])
    expect(body.errors[attribute]).toEqual([expect.stringMatching(/^(?!fields\.)./)])
  })

  test('analysts and above may name another member as the receiver, and only a member', async () => {
    const receiver = { id: instance.member.user_id, type: 'User' }
    expect((await create({ receiver }, checked(instance.analyst.api))).body.receiver.id).toBe(receiver.id)
    expect((await create({ receiver: { id: instance.analyst.user_id, type: 'User' } })).status).toBe(403)
    const stranger = await create({ receiver: { id: instance.stranger.user_id, type: 'User' } }, instance.analyst.api)
    expect([stranger.status, Object.keys(stranger.body.errors)]).toEqual([422, ['receiver']])
    expect((await create({}, instance.stranger.api)).status).toBe(422)
  })

  test('the currency is the receiver’s own unless named', async () => {
    const actor = { user_id: instance.analyst.user_id, origin: 'test', request_id: null, if_match: null }
    await instance.app.store.transact(actor, async (tx) => {
      await tx.db.updateTable('users').set({ default_currency: 'JPY' }).where('id', '=', instance.analyst.user_id).execute()
    })
    expect((await create({ amount: 1200 }, checked(instance.analyst.api))).body).toMatchObject({ amount: 1200, currency: 'JPY' })
    expect((await create({ amount: 1200.5 }, instance.analyst.api)).status).toBe(422)
  })
})

describe('amounts are exact', () => {
  test.each([
    ['BRL', 0.1],
    ['BRL', '10.50'],
    ['BRL', 1234567.89],
    ['USD', 0.29],
    ['JPY', 1000],
    ['KWD', 0.001],
    ['KWD', '1.125'],
    ['BRL', 900_719_925_474.09],
  ])('%s %s comes back as it was sent', async (currency, amount) => {
    const { status, body } = await create({ currency, amount })
    expect(status).toBe(201)
    expect(body).toMatchObject({ currency, amount: Number(amount) })
  })

  test.each([
    ['BRL', 10.001],
    ['JPY', 0.5],
    ['KWD', 1.0005],
    ['BRL', '1.999'],
  ])('%s %s has too many decimals and is never rounded', async (currency, amount) => {
    const { status, body } = await create({ currency, amount })
    expect([status, body]).toEqual([422, { errors: { amount: [`has more decimals than ${currency} allows`] } }])
  })
})

test.each([
  [true, true],
  [false, false],
  [1, true],
  [0, false],
  ['1', true],
  ['0', false],
  ['true', true],
  ['false', false],
])('the truth value %j is %s', async (sent, stored) => {
  expect((await create({ liquidate_through_advancement: sent })).body.liquidate_through_advancement).toBe(stored)
})

test.each([
  ['2026-03-04', '2026-03-04T00:00:00Z'],
  ['2026-03-04T10:20:30Z', '2026-03-04T10:20:30Z'],
  ['2026-03-04T10:20:30-03:00', '2026-03-04T13:20:30Z'],
])('the instant %s is %s', async (sent, stored) => {
  expect((await create({ occurred_at: sent })).body.occurred_at).toBe(stored)
})

test('tags are an array or one text, each once, and known by any case', async () => {
  expect((await create({ tags: ['Food', 'lunch', 'food'] })).body.tags).toBe('Food, lunch')
  expect((await create({ tags: 'FOOD,lunch , ,' })).body.tags).toBe('Food, lunch')
  expect((await create({ tags: [] })).body.tags).toBe('')
})

describe('a distance', () => {
  test('is priced by the rule, and a sent amount is ignored', async () => {
    const { body } = await create({
      kind: 'distance',
      distance: 12.345,
      distance_kind: 'km',
      amount: 9999,
      currency: 'USD',
      origin: 'Home',
      destination: 'Client',
      travel_time: 25,
    })
    expect(body).toMatchObject({
      kind: 'distance',
      amount: 12.35,
      currency: 'BRL',
      distance: 12.345,
      origin: 'Home',
      destination: 'Client',
      travel_time: 25,
    })
    const { amount: _amount, ...unpriced } = newExpense(instance, { kind: 'distance', distance: 100, distance_kind: 'mi' })
    expect((await api.send('POST', '/expenses', unpriced)).body).toMatchObject({ amount: 160.93, distance_kind: 'mi' })
  })

  test('is repriced when it changes, and only then', async () => {
    const { id } = (await create({ kind: 'distance', distance: 10, distance_kind: 'km' })).body
    expect((await api.send('PATCH', `/expenses/${id}`, { amount: 5000, description: 'x' })).body.amount).toBe(10)
    expect((await api.send('PATCH', `/expenses/${id}`, { distance: 20 })).body.amount).toBe(20)
    expect((await api.send('PATCH', `/expenses/${id}`, { distance_kind: 'mi' })).body.amount).toBe(32.19)
  })

  test('shows no distance where there is none', async () => {
    expect((await create({})).body).not.toHaveProperty('distance')
  })
})
