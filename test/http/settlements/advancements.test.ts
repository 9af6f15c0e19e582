import { describe, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { checkedInstance } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import { newMoney, recordMoney } from '#test/support/settlements'

const instance = checkedInstance(await instanceOfFile())

const create = (attributes: Record<string, unknown> = {}) => recordMoney(instance, '/advancements', attributes)
const whole = (attributes: Record<string, unknown> = {}) => ({
  ...newMoney(instance),
  currency: 'BRL',
  description: null,
  tags: [],
  ...attributes,
})

test('an advancement is shown as the contract has it, to anyone who may see it', async () => {
  const body = await create({ amount: 250.5, description: 'Fair', tags: 'fair, travel', date: '2026-05-01T12:00:00Z' })
  expect(body).toEqual({
    id: expect.any(Number),
    uid: expect.any(String),
    version: 1,
    description: 'Fair',
    amount: 250.5,
    currency: 'BRL',
    date: '2026-05-01T12:00:00Z',
    tags: ['fair', 'travel'],
    payer: expect.objectContaining({ id: instance.organization_id, type: 'Organization' }),
    receiver: expect.objectContaining({ id: instance.member.user_id, type: 'User' }),
    responsible_user: expect.objectContaining({ id: instance.manager.user_id, type: 'User' }),
    activities_count: 1,
    comments_count: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    _links: ['GET', 'PUT', 'PATCH', 'DELETE'].map((method, index) => ({
      rel: ['self', 'update', 'partial_update', 'destroy'][index],
      method,
      href: `${instance.url}/api/v1/advancements/${body.id}`,
    })),
  })
  for (const person of [instance.member, instance.analyst, instance.admin])
    expect((await person.api.get(`/advancements/${body.id}`)).body).toEqual(body)
  const colleague = await instance.addUser('Carl Colleague', 'member')
  for (const person of [colleague, instance.stranger])
    expect(await person.api.get(`/advancements/${body.id}`)).toMatchObject({
      status: 404,
      body: { errors: { message: 'Record Not Found' } },
    })
})

test('an empty body names exactly what is required; the messages come in Portuguese too', async () => {
  const { status, body } = await instance.manager.api.send('POST', '/advancements', {}, { 'accept-language': 'pt' })
  expect(status).toBe(422)
  expect(Object.keys(body.errors).sort()).toEqual(['amount', 'date', 'payer', 'receiver'])
  expect(body.errors.payer).toEqual(['não pode ficar em branco'])
})

test.each([
  [{ amount: 0 }, 'amount', 'must be greater than 0'],
  [{ amount: 0.001 }, 'amount', 'has more decimals than BRL allows'],
  [{ amount: 0.0001, currency: 'KWD' }, 'amount', 'has more decimals than KWD allows'],
  [{ date: '' }, 'date', "can't be blank"],
  [{ currency: 'XX' }, 'currency', 'is not included in the list'],
])('%j is refused under %s', async (attributes, field, text) => {
  const { status, body } = await instance.manager.api.send('POST', '/advancements', newMoney(instance, attributes))
  expect([status, body.errors[field]]).toEqual([422, [text]])
})

test('payer and receiver must be related, to each other and to the caller', async () => {
  const elsewhere = (await instance.stranger.api.send('POST', '/organizations', { name: 'Elsewhere' })).body
  const post = async (attributes: Record<string, unknown>) => {
    const { status, body } = await instance.manager.api.send('POST', '/advancements', newMoney(instance, attributes))
    return [status, body.errors]
  }
  expect(await post({ receiver: { id: instance.stranger.user_id, type: 'User' } })).toEqual([
    422,
    { receiver: ['is not a member of this organization'] },
  ])
  expect(await post({ payer: { id: elsewhere.id, type: 'Organization' } })).toEqual([422, { payer: ['is invalid'] }])
  expect(await post({ payer: { id: instance.organization_id, type: 'User' } })).toEqual([422, { payer: ['is invalid'] }])
})

test('analysts and members may neither create nor change', async () => {
  const { id } = await create()
  for (const person of [instance.analyst, instance.member]) {
    expect((await person.api.send('POST', '/advancements', newMoney(instance))).status).toBe(403)
    expect((await person.api.send('PATCH', `/advancements/${id}`, { amount: 1 })).status).toBe(403)
    expect((await person.api.send('PUT', `/advancements/${id}`, whole())).status).toBe(403)
  }
})

describe('changing an advancement', () => {
  test('PATCH changes what is sent; its own representation sent back changes nothing', async () => {
    const made = await create({ tags: ['a'], description: 'One' })
    const changed = await instance.manager.api.send('PATCH', `/advancements/${made.id}`, { description: 'Two', currency: 'USD' })
    expect(changed.body).toMatchObject({ description: 'Two', amount: 100, currency: 'USD', tags: ['a'], date: made.date })
    const again = await instance.manager.api.send('PATCH', `/advancements/${made.id}`, changed.body)
    expect(again.body).toEqual(changed.body)
    const { activities } = (await instance.member.api.get(`/advancements/${made.id}/activities`)).body
    expect(activities).toHaveLength(2)
    expect(activities[0].changes).toContain('from BRL\u00a0100.00 to USD\u00a0100.00')
  })
  test('PUT demands every attribute, and a blank date is refused', async () => {
    const { id } = await create()
    const empty = await instance.manager.api.send('PUT', `/advancements/${id}`, {})
    expect([empty.status, Object.keys(empty.body.errors).length]).toEqual([422, 7])
    const blank = await instance.manager.api.send('PUT', `/advancements/${id}`, whole({ date: '' }))
    expect([blank.status, blank.body.errors]).toEqual([422, { date: ["can't be blank"] }])
    const done = await instance.manager.api.send('PUT', `/advancements/${id}`, whole({ amount: 3 }))
    expect(done).toMatchObject({ status: 200, body: { amount: 3, description: null, tags: [] } })
  })
  test('an amount that the new currency cannot hold is refused, never rounded', async () => {
    const { id } = await create({ amount: 10.5 })
    const { status, body } = await instance.manager.api.send('PATCH', `/advancements/${id}`, { currency: 'JPY' })
    expect([status, body.errors]).toEqual([422, { amount: ['has more decimals than JPY allows'] }])
  })
  test('read-only attributes do not change', async () => {
    const made = await create()
    const sent = { id: 1, version: 99, created_at: '2000-01-01T00:00:00Z', responsible_user: { id: 1 }, comments_count: 7 }
    expect((await instance.manager.api.send('PATCH', `/advancements/${made.id}`, sent)).body).toEqual(made)
  })
  test('a change of what has changed since is 412', async () => {
    const { id } = await create()
    const etag = (await instance.manager.api.get(`/advancements/${id}`)).headers.get('etag') ?? ''
    const patch = () => instance.manager.api.send('PATCH', `/advancements/${id}`, { amount: 7 }, { 'if-match': etag })
    expect((await patch()).status).toBe(200)
    expect((await patch()).status).toBe(412)
    expect((await instance.manager.api.send('DELETE', `/advancements/${id}`, undefined, { 'if-match': etag })).status).toBe(412)
  })
})

describe('deleting an advancement', () => {
  test('is for its receiver and for managers and above', async () => {
    for (const person of [instance.member, instance.manager, instance.admin]) {
      const { id } = await create()
      expect((await instance.analyst.api.send('DELETE', `/advancements/${id}`)).status).toBe(403)
      expect((await instance.stranger.api.send('DELETE', `/advancements/${id}`)).status).toBe(404)
      expect(await person.api.send('DELETE', `/advancements/${id}`)).toMatchObject({ status: 204, body: null })
      expect((await person.api.get(`/advancements/${id}`)).status).toBe(404)
    }
  })
})

test('an expired organization refuses every write with 402', async () => {
  const { id } = await create()
  await whileExpired(instance, async () => {
    for (const person of [instance.manager, instance.member]) {
      expect((await person.api.send('POST', '/advancements', newMoney(instance))).status).toBe(402)
      expect((await person.api.send('POST', '/advancement_devolutions', newMoney(instance))).status).toBe(402)
      expect((await person.api.send('PATCH', `/advancements/${id}`, { amount: 1 })).status).toBe(402)
      expect((await person.api.send('DELETE', `/advancements/${id}`)).status).toBe(402)
    }
  })
})

test('organizations that allow existing tags only keep to them', async () => {
  const other = (await instance.manager.api.send('POST', '/organizations', { name: 'Strict' })).body
  await instance.manager.api.send('PATCH', `/organizations/${other.id}`, { restricted_tags: true })
  const { status, body } = await instance.manager.api.send('POST', '/advancements', {
    ...newMoney(instance, { tags: ['new'] }),
    payer: { id: other.id, type: 'Organization' },
    receiver: { id: instance.manager.user_id, type: 'User' },
  })
  expect([status, body.errors]).toEqual([422, { tags: ['new does not exist in this organization'] }])
})
