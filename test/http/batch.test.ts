import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { expectContract } from '#test/support/contract'
import { newExpense, recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'

const instance = await instanceOfFile()

const batch = (body: Json, headers: Record<string, string> = {}) => instance.member.api.send('POST', '/batch', body, headers)
const create = (attributes: Json = {}) => ({ method: 'POST', path: '/expenses', body: newExpense(instance, attributes) })
const statuses = ({ body }: { body: Json }): number[] => body.results.map(({ status }: Json) => status)
const countOf = async (description: string) => (await instance.member.api.get(`/expenses?q[description_eq]=${description}`)).body.count
const newKey = () => ({ 'idempotency-key': randomBytes(8).toString('hex') })

test('operations run in order, and each response is as if sent alone', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const response = await batch({
    operations: [
      { method: 'PATCH', path: `/expenses/${id}`, body: { description: 'one' } },
      { method: 'PATCH', path: `/expenses/${id}`, body: { location: 'two' } },
      create({ description: 'three' }),
      { method: 'DELETE', path: `/expenses/${id}` },
      { method: 'PATCH', path: `/expenses/${id}`, body: { description: 'too late' } },
    ],
  })
  expectContract('POST', '/batch', response)
  expect(statuses(response)).toEqual([200, 200, 201, 204, 404])
  expect(response.body.results[1].body).toMatchObject({ description: 'one', location: 'two', version: 3 })
  expectContract('POST', '/expenses', { ...response.body.results[2], headers: new Headers() })
  expect(response.body.results[3].body).toBeNull()
})

test('each is independent: failures undo only themselves', async () => {
  const response = await batch({
    operations: [
      create({ description: 'kept' }),
      create({ amount: -1, description: 'kept' }),
      { method: 'POST', path: '/nowhere' },
      { method: 'PUT', path: '/expenses' },
      { method: 'POST', path: '/batch', body: { operations: [] } },
      { method: 'POST', path: '/session', body: { token: 'x' } },
      create({ description: 'kept' }),
    ],
  })
  expect(statuses(response)).toEqual([201, 422, 404, 405, 405, 405, 201])
  expect(response.body.results[1].body).toEqual({ errors: { amount: ['must be greater than 0'] } })
  expect(await countOf('kept')).toBe(2)
})

test('atomic: one failure undoes everything and names itself', async () => {
  const response = await batch({
    atomic: true,
    operations: [create({ description: 'undone' }), create({ amount: 0 }), create({ description: 'undone' })],
  })
  expect(response.status).toBe(200)
  expect(statuses(response)).toEqual([424, 422, 424])
  expect(response.body.results[1].body.errors).toEqual({ amount: ['must be greater than 0'] })
  expect(response.body.results[0].body.errors.message).toBe('Nothing was changed, because another operation of the batch failed.')
  expect(await countOf('undone')).toBe(0)
})

test('atomic: without a failure everything is done', async () => {
  expect(statuses(await batch({ atomic: true, operations: [create({ description: 'all' }), create({ description: 'all' })] }))).toEqual([
    201, 201,
  ])
  expect(await countOf('all')).toBe(2)
})

test('each operation has its own precondition', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const etag = (await instance.member.api.get(`/expenses/${id}`)).headers.get('etag')
  const change = (description: string) => ({ method: 'PATCH', path: `/expenses/${id}`, body: { description }, if_match: etag })
  expect(statuses(await batch({ operations: [change('first'), change('second')] }))).toEqual([200, 412])
  expect((await instance.member.api.get(`/expenses/${id}`)).body.description).toBe('first')
})

describe('a body that is not a batch is 422', () => {
  test.each([
    [{}, 'operations'],
    [{ operations: 'none' }, 'operations'],
    [{ operations: [{ method: 'GET', path: '/expenses' }] }, 'operations'],
    [{ operations: [{ method: 'POST' }] }, 'operations'],
    [{ operations: [], atomic: 'maybe' }, 'atomic'],
  ])('%j', async (body, attribute) => {
    const response = await batch(body)
    expect(response.status).toBe(422)
    expect(Object.keys(response.body.errors)).toEqual([attribute])
  })

  test('more than 1,000 operations', async () => {
    const { status, body } = await batch({ operations: Array.from({ length: 1001 }, () => ({ method: 'DELETE', path: '/expenses/0' })) })
    expect(status).toBe(422)
    expect(body.errors.operations[0]).toMatch(/1,?000/)
  })
})

describe('idempotency', () => {
  test('of one operation', async () => {
    const operation = { ...create({ description: 'keyed' }), idempotency_key: randomBytes(8).toString('hex') }
    const response = await batch({ operations: [operation, operation] })
    expect(statuses(response)).toEqual([201, 201])
    expect(response.body.results[1].body).toEqual(response.body.results[0].body)
    expect(statuses(await batch({ operations: [{ ...operation, body: newExpense(instance, { amount: 1 }) }] }))).toEqual([422])
    expect(await countOf('keyed')).toBe(1)
  })

  test.each([false, true])('of the whole batch, atomic: %s', async (atomic) => {
    const key = newKey()
    const description = `whole-${atomic}`
    const body = { atomic, operations: [create({ description }), create({ description })] }
    const first = await batch(body, key)
    const second = await batch(body, key)
    expect(statuses(first)).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect((await batch({ ...body, operations: [] }, key)).status).toBe(422)
    expect(await countOf(description)).toBe(2)
  })

  test('an atomic failure is replayed, though its cause has gone', async () => {
    const key = newKey()
    const { id } = await recordExpense(instance, instance.member, { description: 'pending' })
    const body = {
      atomic: true,
      operations: [create(), { method: 'PUT', path: `/expenses/${id}/status`, body: { status: 'awaiting_analysis' } }],
    }
    const first = await batch(body, key)
    expect(statuses(first)).toEqual([424, 422])
    await instance.manager.api.send('PUT', `/expenses/${id}/status`, { status: 'pending' })
    expect((await batch(body, key)).body).toEqual(first.body)
  })

  test('a batch whose first run is still running is 409', async () => {
    const actor = { user_id: instance.member.user_id, origin: 'test', request_id: null, if_match: null }
    for (const atomic of [false, true]) {
      const key = newKey()
      const gate = Promise.withResolvers<undefined>()
      const holding = instance.app.store.transact(actor, () => gate.promise)
      const both = [batch({ atomic, operations: [create()] }, key), batch({ atomic, operations: [create()] }, key)]
      expect((await Promise.race(both)).status).toBe(409)
      gate.resolve(undefined)
      await holding
      expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })
})

/** At most a thousand may be sent. */
const many = inForm(250, 1000)

test.each([false, true])(`${many} operations, atomic: %s, let others read meanwhile`, async (atomic) => {
  const description = `many-${atomic}`
  const operations = Array.from({ length: many }, () => create({ description }))
  let isDone = false
  const running = batch({ atomic, operations }).finally(() => {
    isDone = true
  })
  let answeredMeanwhile = 0
  while (!isDone) {
    expect((await instance.analyst.api.get('/expenses?per_page=1')).status).toBe(200)
    if (!isDone) answeredMeanwhile += 1
  }
  expect(new Set(statuses(await running))).toEqual(new Set([201]))
  expect(await countOf(description)).toBe(many)
  expect(answeredMeanwhile).toBeGreaterThan(2)
})
