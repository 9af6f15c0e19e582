import { describe, expect, test } from 'vitest'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { insertMembership, insertOrganization } from '#main/store/records/organizations/organization-writer'
import { checked } from '#test/support/contract'
import { moveExpense, newExpense, recordExpense } from '#test/support/expenses'

const instance = await instanceOfFile()
const api = checked(instance.member.api)

const create = (attributes: Json = {}) => api.send('POST', '/expenses', newExpense(instance, attributes))

describe('change', () => {
  test('PATCH changes what was sent and nothing else', async () => {
    const before = (await create({ description: 'Taxi', tags: 'a, b', location: 'Lisbon' })).body
    const { body } = await api.send('PATCH', `/expenses/${before.id}`, { amount: 20, tags: 'b' })
    const { amount, tags, version, updated_at: _at, activities_count, ...rest } = body
    expect({ amount, tags, version, activities_count }).toEqual({ amount: 20, tags: 'b', version: 2, activities_count: 2 })
    expect(before).toMatchObject(rest)
  })

  test.each([
    {},
    { kind: 'distance', distance: 15.5, distance_kind: 'mi', origin: 'A', travel_time: 3 },
    { currency: 'KWD', amount: 1.125 },
    { currency: 'JPY', amount: 7 },
  ])('a representation sent back changes nothing: %j', async (attributes) => {
    const before = (await create({ description: ' Taxi ', tags: ['x', 'y'], latitude: 1.5, ...attributes })).body
    for (const method of ['PATCH', 'PUT']) {
      const { status, body } = await api.send(method, `/expenses/${before.id}`, before)
      expect(status).toBe(200)
      expect(body).toEqual(before)
    }
  })

  test('read-only attributes never change', async () => {
    const before = (await create()).body
    const sent = {
      id: 1,
      uid: 'x',
      version: 99,
      status: 'approved',
      created_at: '2000-01-01',
      comments_count: 9,
      approved_amount: 5,
      reimbursement_id: 3,
    }
    expect((await api.send('PATCH', `/expenses/${before.id}`, sent)).body).toEqual(before)
  })

  test('PUT demands every attribute of the contract, null where it may be null, and no extension', async () => {
    const { id } = (await create()).body
    const { status, body } = await api.send('PUT', `/expenses/${id}`, {})
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual([
      'amount',
      'currency',
      'description',
      'latitude',
      'liquidate_through_advancement',
      'location',
      'longitude',
      'occurred_at',
      'payer',
      'receiver',
      'tags',
    ])
    expect(new Set(Object.values(body.errors).flat())).toEqual(new Set(["can't be blank"]))
    const whole = newExpense(instance, {
      receiver: { id: instance.member.user_id, type: 'User' },
      currency: 'USD',
      description: null,
      tags: [],
      latitude: null,
      longitude: null,
      location: null,
      liquidate_through_advancement: true,
    })
    expect((await api.send('PUT', `/expenses/${id}`, whole)).body).toMatchObject({
      currency: 'USD',
      description: null,
      liquidate_through_advancement: true,
    })
  })

  test('a currency may change only to one that the amount is exact in', async () => {
    const { id } = (await create({ amount: 10.55 })).body
    expect((await api.send('PATCH', `/expenses/${id}`, { currency: 'JPY' })).status).toBe(422)
    expect((await api.send('PATCH', `/expenses/${id}`, { currency: 'KWD' })).body).toMatchObject({ amount: 10.55, currency: 'KWD' })
  })

  test('every change of an attribute is in the audit trail', async () => {
    const { id } = (await create({ kind: 'distance', distance: 3 })).body
    const changes = {
      origin_latitude: 1,
      origin_longitude: 2,
      destination_latitude: 3,
      destination_longitude: 4,
      latitude: 5,
      travel_time: 6,
      origin: 'A',
      destination: 'B',
    }
    for (const [index, change] of Object.entries(changes)
      .map((entry) => Object.fromEntries([entry]))
      .entries())
      expect((await api.send('PATCH', `/expenses/${id}`, change)).body).toMatchObject({
        ...change,
        activities_count: index + 2,
        version: index + 2,
      })
  })

  test('another payer gets separate tags with the same names', async () => {
    const { id } = (await create({ tags: 'moved' })).body
    const actor = { user_id: instance.member.user_id, origin: 'test', request_id: null, if_match: null }
    const other = await instance.app.store.transact(actor, async (tx) => {
      const organization = await insertOrganization(tx, { name: 'Other' })
      await insertMembership(tx, { organization_id: organization.id, user_id: instance.member.user_id, role: 'member' })
      return organization.id
    })
    const { body } = await api.send('PATCH', `/expenses/${id}`, { payer_id: other })
    expect(body).toMatchObject({ payer: { id: other, name: 'Other' }, tags: 'moved' })
    const tags = await instance.app.store.reader.db
      .selectFrom('expense_tags')
      .innerJoin('tags', 'tags.id', 'expense_tags.tag_id')
      .select('tags.organization_id')
      .where('expense_id', '=', id)
      .execute()
    expect(tags).toEqual([{ organization_id: other }])
    expect((await instance.manager.api.get(`/expenses/${id}`)).status).toBe(404)
    expect((await instance.member.api.send('PATCH', `/expenses/${id}`, { payer_id: 999 })).status).toBe(422)
  })

  test('who may, by status: 403 where someone else could, 422 where no one could', async () => {
    const statusesOf = async (id: number) => {
      const responses = []
      for (const person of [instance.member, instance.analyst, instance.manager])
        responses.push((await person.api.send('PATCH', `/expenses/${id}`, { description: `by ${person.user_id}` })).status)
      return responses
    }
    const { id } = (await create({ amount: 10 })).body
    expect(await statusesOf(id)).toEqual([200, 200, 200])
    await moveExpense(instance.analyst, id, { status: 'pending' })
    expect(await statusesOf(id)).toEqual([200, 200, 200])
    await moveExpense(instance.analyst, id, { status: 'analyzing' })
    expect(await statusesOf(id)).toEqual([403, 200, 200])
    await moveExpense(instance.manager, id, { status: 'approved', approved_amount: 10 })
    expect(await statusesOf(id)).toEqual([403, 403, 200])
    for (const [person, why] of [
      [instance.member, 'Ask a reviewer to change it'],
      [instance.analyst, 'only managers and admins can change it'],
    ] as const)
      for (const body of [{ description: 'Late' }, { amount: 'none' }])
        expect((await person.api.send('PATCH', `/expenses/${id}`, body)).body.errors.message).toContain(why)
    await moveExpense(instance.manager, id, { status: 'liquidated' })
    expect(await statusesOf(id)).toEqual([422, 422, 422])
  })
})

describe('delete', () => {
  test('is final outside', async () => {
    const { id } = (await create()).body
    const response = await api.send('DELETE', `/expenses/${id}`)
    expect([response.status, response.body]).toEqual([204, null])
    expect((await api.get(`/expenses/${id}`)).status).toBe(404)
    expect((await api.send('DELETE', `/expenses/${id}`)).status).toBe(404)
    expect((await api.get(`/expenses?q[id_eq]=${id}`)).body.count).toBe(0)
  })

  test('follows the rule of editing', async () => {
    const { id } = await recordExpense(instance, instance.member)
    await moveExpense(instance.manager, id, { status: 'approved', approved_amount: 1 })
    expect((await instance.member.api.send('DELETE', `/expenses/${id}`)).status).toBe(403)
    await moveExpense(instance.manager, id, { status: 'liquidated' })
    expect((await instance.admin.api.send('DELETE', `/expenses/${id}`)).status).toBe(422)
  })
})
