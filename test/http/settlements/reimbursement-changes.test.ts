import { describe, expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import { whileExpired } from '#test/support/expiry'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { approvedExpense, newMoney, recordMoney } from '#test/support/settlements'

const instance = checkedInstance(await instanceOfFile())

const create = (attributes: Record<string, unknown> = {}) => recordMoney(instance, '/reimbursements', attributes)
const statusOf = async (id: number) => (await instance.manager.api.get(`/expenses/${id}`)).body.status

describe('changing a reimbursement', () => {
  const patch = (id: number, changes: unknown, headers?: Record<string, string>) =>
    instance.manager.api.send('PATCH', `/reimbursements/${id}`, changes, headers)

  test('PATCH changes only what is sent, and the trail says what', async () => {
    const made = await create({ description: 'March', tags: ['a'] })
    const { status, body } = await patch(made.id, { amount: 99.5, tags: 'a, b' })
    expect(status).toBe(200)
    expect(body).toEqual({
      ...made,
      amount: 99.5,
      tags: ['a', 'b'],
      version: expect.any(Number),
      activities_count: 2,
      updated_at: expect.any(String),
    })
    expect(body.version).toBeGreaterThan(made.version)
    const { activities } = (await instance.member.api.get(`/reimbursements/${made.id}/activities`)).body
    expect(activities[0].changes).toBe(
      'Max Manager changed the reimbursement: the amount from BRL\u00a0100.00 to BRL\u00a099.50 and the tags from “a” to “a, b”.',
    )
  })
  test('its own representation sent back changes nothing', async () => {
    const expense = await approvedExpense(instance)
    const made = await create({ description: 'Echo', tags: ['a', 'b'], expense_ids: [expense.id] })
    expect((await patch(made.id, made)).body).toEqual(made)
    expect((await instance.manager.api.send('PUT', `/reimbursements/${made.id}`, made)).body).toEqual(made)
  })
  test('PUT demands every attribute but extensions', async () => {
    const made = await create()
    const { status, body } = await instance.manager.api.send('PUT', `/reimbursements/${made.id}`, {})
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(['amount', 'currency', 'date', 'description', 'payer', 'receiver', 'tags'])
    const whole = { ...newMoney(instance, { amount: 5, currency: 'USD' }), description: null, tags: [] }
    expect((await instance.manager.api.send('PUT', `/reimbursements/${made.id}`, whole)).body).toMatchObject({ amount: 5, currency: 'USD' })
  })
  test('expense_ids replaces the expenses; null and absence keep them', async () => {
    const [kept, dropped, added] = [await approvedExpense(instance), await approvedExpense(instance), await approvedExpense(instance)]
    const { id, version } = await create({ expense_ids: [kept.id, dropped.id] })
    expect((await patch(id, { expense_ids: null })).body.expenses).toHaveLength(2)
    const { body } = await patch(id, { expense_ids: [kept.id, added.id] })
    expect(body.expenses.map((one: Json) => one.id)).toEqual([kept.id, added.id])
    expect(body.version).toBeGreaterThan(version)
    const back = (await instance.manager.api.get(`/expenses/${dropped.id}`)).body
    expect(back).toMatchObject({ status: 'approved', reimbursement_id: null, approved_amount: 12.5 })
    const { activities } = (await instance.manager.api.get(`/reimbursements/${id}/activities`)).body
    expect(activities[0].details).toEqual([{ attribute: 'expense_ids', from: `${kept.id}, ${dropped.id}`, to: `${kept.id}, ${added.id}` }])
    expect((await patch(id, { expense_ids: [] })).body.expenses).toEqual([])
    expect(await statusOf(kept.id)).toBe('approved')
  })
  test('the receiver and the currency stay while expenses are joined', async () => {
    const expense = await approvedExpense(instance)
    const { id } = await create({ expense_ids: [expense.id] })
    const changes: Array<[string, unknown]> = [
      ['receiver', { id: instance.analyst.user_id, type: 'User' }],
      ['currency', 'USD'],
    ]
    for (const [name, value] of changes) {
      const { status, body } = await patch(id, { [name]: value })
      expect([status, body.errors]).toEqual([422, { [name]: ['can not change while expenses are joined'] }])
    }
    expect((await patch(id, { currency: 'USD', expense_ids: [] })).body).toMatchObject({ currency: 'USD', expenses: [] })
    expect(await statusOf(expense.id)).toBe('approved')
  })
  test('a refused change leaves everything as it was', async () => {
    const [joined, foreign] = [await approvedExpense(instance), await approvedExpense(instance, {}, instance.analyst)]
    const made = await create({ expense_ids: [joined.id] })
    expect((await patch(made.id, { amount: 3, expense_ids: [foreign.id] })).status).toBe(422)
    expect((await instance.manager.api.get(`/reimbursements/${made.id}`)).body).toEqual(made)
    expect(await statusOf(joined.id)).toBe('liquidated')
  })
  test('a new receiver must have a relation with the payer', async () => {
    const { id } = await create()
    const { status, body } = await patch(id, { receiver: { id: instance.stranger.user_id, type: 'User' } })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['receiver']])
    expect((await patch(id, { receiver: { id: instance.analyst.user_id, type: 'User' } })).body.receiver.name).toBe('Ann Analyst')
  })
  test('analysts and the receiver see it but may not change it; strangers do not see it', async () => {
    const { id } = await create()
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      for (const [person, status] of [
        [instance.analyst, 403],
        [instance.member, 403],
        [instance.stranger, 404],
      ] as const) {
        const body = method === 'PUT' ? { ...newMoney(instance), currency: 'BRL', description: null, tags: [] } : {}
        expect((await person.api.send(method, `/reimbursements/${id}`, body)).status, method).toBe(status)
      }
  })
  test('a change of what has changed since is 412', async () => {
    const { id } = await create()
    const { headers } = await instance.manager.api.get(`/reimbursements/${id}`)
    const etag = headers.get('etag') ?? ''
    const first = await patch(id, { description: 'One' }, { 'if-match': etag })
    expect(first.status).toBe(200)
    expect((await patch(id, { description: 'Two' }, { 'if-match': etag })).status).toBe(412)
    const seen = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await instance.manager.api.get(`/reimbursements/${id}`, seen)).status).toBe(304)
  })
})

describe('deleting a reimbursement', () => {
  test('returns its expenses to approved with their approved amount, shown in their trail', async () => {
    const expense = await approvedExpense(instance, { amount: 8 })
    const { id } = await create({ expense_ids: [expense.id] })
    expect((await instance.manager.api.send('DELETE', `/expenses/${expense.id}`)).status).toBe(422)
    expect(await instance.manager.api.send('DELETE', `/reimbursements/${id}`)).toMatchObject({ status: 204, body: null })
    expect((await instance.manager.api.get(`/reimbursements/${id}`)).status).toBe(404)
    const back = (await instance.manager.api.get(`/expenses/${expense.id}`)).body
    expect(back).toMatchObject({ status: 'approved', approved_amount: 8, approved_amount_currency: 'BRL', reimbursement_id: null })
    const { activities } = (await instance.manager.api.get(`/expenses/${expense.id}/activities`)).body
    expect(activities[0].details[0]).toEqual({ attribute: 'status', from: 'liquidated', to: 'approved' })
    const again = await create({ expense_ids: [expense.id] })
    expect(again.expenses).toHaveLength(1)
  })
})

describe('an expired organization', () => {
  test('refuses every write with 402, even those that are forbidden anyway', async () => {
    const { id } = await create()
    await whileExpired(instance, async () => {
      for (const person of [instance.manager, instance.member]) {
        expect((await person.api.send('POST', '/reimbursements', newMoney(instance))).status).toBe(402)
        expect((await person.api.send('PATCH', `/reimbursements/${id}`, { amount: 1 })).status).toBe(402)
        expect((await person.api.send('DELETE', `/reimbursements/${id}`)).status).toBe(402)
      }
      expect((await instance.manager.api.get(`/reimbursements/${id}`)).status).toBe(200)
    })
  })
})
