import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Json, apiOf, startInstance } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { newExpense, recordExpense } from '#test/support/expenses'
import { restart } from '#test/support/restart'

let url: string
const instance = await instanceOfFile()
url = instance.url

const dayMs = 24 * 60 * 60 * 1000
const actor = { user_id: 0, origin: 'test', request_id: null, if_match: null }
const newKey = () => randomBytes(8).toString('hex')
const create = (key: string, attributes: Json = {}, token = instance.member.token) =>
  apiOf(url, token).send('POST', '/expenses', newExpense(instance, attributes), { 'idempotency-key': key })
const countOf = async (description: string) =>
  (await apiOf(url, instance.manager.token).get(`/expenses?q[description_eq]=${description}`)).body.count

test('a repeat gets the first response, with its headers, and changes nothing', async () => {
  const key = newKey()
  const first = await create(key, { description: 'once' })
  await apiOf(url, instance.member.token).send('PATCH', `/expenses/${first.body.id}`, { location: 'Lisbon' })
  const second = await create(key, { description: 'once' })
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect([second.status, second.body, second.headers.get('etag')]).toEqual([201, first.body, first.headers.get('etag')])
  expect(await countOf('once')).toBe(1)
})

test('an empty response is replayed too', async () => {
  const { id } = await recordExpense(instance, instance.member)
  const key = { 'idempotency-key': newKey() }
  const remove = () => instance.member.api.send('DELETE', `/expenses/${id}`, undefined, key)
  expect((await remove()).status).toBe(204)
  const second = await remove()
  expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([204, null, 'true'])
})

test('the same key with another request is 422', async () => {
  const key = newKey()
  await create(key)
  const other = await create(key, { amount: 99 })
  expect(other.status).toBe(422)
  expect(other.body.errors.message).toBe('This Idempotency-Key was used for another request.')
  expect((await instance.member.api.send('PATCH', '/expenses/1', {}, { 'idempotency-key': key })).status).toBe(422)
})

test('keys of different callers are different keys', async () => {
  const key = newKey()
  const mine = await create(key)
  const theirs = await create(key, {}, instance.analyst.token)
  expect(theirs.status).toBe(201)
  expect(theirs.body.id).not.toBe(mine.body.id)
})

test('a key may have 255 characters and no more', async () => {
  expect((await create('k'.repeat(255))).status).toBe(201)
  const { status, body } = await create('k'.repeat(256))
  expect(status).toBe(400)
  expect(body.errors.message).toBe('The Idempotency-Key may have at most 255 characters.')
})

test('a 422 is replayed like any other response', async () => {
  const key = newKey()
  const first = await create(key, { amount: -1 })
  const second = await create(key, { amount: -1 })
  expect(first.status).toBe(422)
  expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([422, first.body, 'true'])
})

test('a request without valid credentials stores no response', async () => {
  const key = newKey()
  expect((await create(key, {}, 'wrong')).status).toBe(401)
  const response = await create(key)
  expect([response.status, response.headers.get('idempotency-replayed')]).toEqual([201, null])
})

test('while the first is still running the second is 409', async () => {
  const key = newKey()
  const gate = Promise.withResolvers<undefined>()
  const holding = instance.app.store.transact(actor, () => gate.promise)
  const both = [create(key, { description: 'slow' }), create(key, { description: 'slow' })]
  const early = await Promise.race(both)
  expect(early.status).toBe(409)
  expect(early.body.errors.message).toBe('The first request with this Idempotency-Key is still running.')
  gate.resolve(undefined)
  await holding
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409])
  expect(await countOf('slow')).toBe(1)
})

test('of many at once one has the effect', async () => {
  const key = newKey()
  const responses = await Promise.all(Array.from({ length: 20 }, () => create(key, { description: 'many' })))
  expect(responses.filter(({ status, headers }) => status === 201 && !headers.has('idempotency-replayed'))).toHaveLength(1)
  expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true)
  expect(await countOf('many')).toBe(1)
})

test('a restart forgets nothing', async () => {
  const key = newKey()
  const first = await create(key, { description: 'before' })
  const again = await restart(instance)
  try {
    url = again.url
    const second = await create(key, { description: 'before' })
    // Links name the address by which the repeat came.
    const { _links, ...stored } = first.body
    expect(second.body).toMatchObject(stored)
    expect([second.status, second.body._links[0].href, second.headers.get('idempotency-replayed')]).toEqual([
      201,
      _links[0].href.replace(instance.url, again.url),
      'true',
    ])
    expect(await countOf('before')).toBe(1)
  } finally {
    await again.close()
  }
})

test('a response is forgotten, but not before its 30 days are over', async () => {
  const aged = await startInstance()
  const [old, recent] = [newKey(), newKey()]
  const record = (at: string, key: string) =>
    apiOf(at, aged.member.token).send('POST', '/expenses', newExpense(aged, { description: key }), { 'idempotency-key': key })
  for (const key of [old, recent]) await record(aged.url, key)
  const backdate = (key: string, days: number) =>
    aged.app.store.transact(actor, (tx) =>
      tx.write('UPDATE idempotency_keys SET created_at = ? WHERE key = ?', [new Date(Date.now() - days * dayMs).toISOString(), key]),
    )
  await backdate(old, 91)
  await backdate(recent, 31)
  const again = await restart(aged)
  try {
    const replayed = async (key: string) => (await record(again.url, key)).headers.get('idempotency-replayed')
    await expect.poll(() => replayed(old), { timeout: 60_000 }).toBeNull()
    expect(await replayed(recent)).toBe('true')
  } finally {
    await again.close()
    await aged.remove()
  }
})
