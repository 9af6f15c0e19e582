import { expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { newMoney, recordMoney } from '#test/support/settlements'

const instance = checkedInstance(await instanceOfFile())

const path = '/advancement_devolutions'

test('a devolution is shown as the contract has it', async () => {
  const body = await recordMoney(instance, path, { amount: 30.25 })
  expect(body).toEqual({
    id: expect.any(Number),
    uid: expect.any(String),
    version: 1,
    amount: 30.25,
    currency: 'BRL',
    date: '2026-03-04T00:00:00Z',
    payer: expect.objectContaining({ id: instance.organization_id, type: 'Organization' }),
    receiver: expect.objectContaining({ id: instance.member.user_id, type: 'User' }),
    responsible_user: expect.objectContaining({ id: instance.manager.user_id }),
    created_at: expect.any(String),
    updated_at: expect.any(String),
    _links: [{ rel: 'create', method: 'POST', href: `${instance.url}/api/v1${path}` }],
  })
})

test('missing attributes are named, impossible values are rejected', async () => {
  const post = async (body: unknown) => {
    const response = await instance.manager.api.send('POST', path, body)
    return [response.status, response.body.errors]
  }
  const [status, errors] = await post({})
  expect([status, Object.keys(errors).sort()]).toEqual([422, ['amount', 'date', 'payer', 'receiver']])
  expect(await post(newMoney(instance, { amount: -1 }))).toEqual([422, { amount: ['must be greater than 0'] }])
  expect(await post(newMoney(instance, { receiver: { id: instance.stranger.user_id, type: 'User' } }))).toEqual([
    422,
    { receiver: ['is not a member of this organization'] },
  ])
  expect(await post(newMoney(instance, { payer: { id: 999_999, type: 'Organization' } }))).toEqual([422, { payer: ['is invalid'] }])
})

test('recording one is for managers and above', async () => {
  for (const person of [instance.analyst, instance.member])
    expect((await person.api.send('POST', path, newMoney(instance))).status).toBe(403)
})

test('it is in the audit trail', async () => {
  const { id } = await recordMoney(instance, path, { amount: 5 })
  const { body } = await instance.member.api.get('/activities')
  const entry = body.activities.find(({ subject }: Json) => subject.type === 'AdvancementDevolution' && subject.id === id)
  expect(entry.changes).toBe('Max Manager recorded a return of BRL\u00a05.00.')
})

test('the list shows one’s own, and reviewers all of their organization', async () => {
  const other = await recordMoney(instance, path, { receiver: { id: instance.analyst.user_id, type: 'User' }, amount: 77 })
  const idsFor = async (person: typeof instance.member, query = '') =>
    (await person.api.get(`${path}${query}`)).body.advancement_devolutions.map(({ id }: Json) => id)
  expect(await idsFor(instance.member)).not.toContain(other.id)
  expect(await idsFor(instance.analyst)).toContain(other.id)
  expect(await idsFor(instance.stranger)).toEqual([])
  expect(await idsFor(instance.admin, '?q[amount_gteq]=77')).toEqual([other.id])
  expect((await instance.admin.api.get(`${path}?q[has_tag]=1`)).status).toBe(422)
})
