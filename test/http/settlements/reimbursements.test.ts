import { describe, expect, test } from 'vitest'
import { checkedInstance } from '#test/support/contract'
import { recordExpense } from '#test/support/expenses'
import { getWithBody } from '#test/support/raw-http'
import type { Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { approvedExpense, newMoney, recordMoney } from '#test/support/settlements'

const instance = checkedInstance(await instanceOfFile())

const create = (attributes: Record<string, unknown> = {}) => recordMoney(instance, '/reimbursements', attributes)
const post = (attributes: Record<string, unknown>) => instance.manager.api.send('POST', '/reimbursements', newMoney(instance, attributes))
const statusOf = async (id: number) => (await instance.manager.api.get(`/expenses/${id}`)).body.status
const newPath = (attributes: Record<string, unknown> = {}) => {
  const query = { payer_id: instance.organization_id, receiver_id: instance.member.user_id, currency: 'BRL', ...attributes }
  return `/reimbursements/new?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`
}

describe('creating a reimbursement', () => {
  test('returns it whole, with the expenses it pays', async () => {
    const taxi = await approvedExpense(instance, { amount: 20.1, description: 'Taxi' })
    const lunch = await approvedExpense(instance, { amount: 30.15, description: 'Lunch' })
    const body = await create({
      amount: 50.25,
      description: 'March',
      tags: ['travel', 'march'],
      date: '2026-03-31T10:00:00Z',
      expense_ids: [taxi.id, lunch.id],
    })
    expect(body).toEqual({
      id: expect.any(Number),
      uid: expect.any(String),
      version: 1,
      description: 'March',
      amount: 50.25,
      currency: 'BRL',
      date: '2026-03-31T10:00:00Z',
      tags: ['travel', 'march'],
      payer: expect.objectContaining({ id: instance.organization_id, name: 'Acme', type: 'Organization', logo: [] }),
      receiver: expect.objectContaining({ id: instance.member.user_id, name: 'Mel Member', type: 'User', avatar: [] }),
      responsible_user: expect.objectContaining({ id: instance.manager.user_id, name: 'Max Manager' }),
      expenses: [
        expect.objectContaining({ id: taxi.id, status: 'liquidated', reimbursement_id: body.id, approved_amount: 20.1 }),
        expect.objectContaining({ id: lunch.id, status: 'liquidated', reimbursement_id: body.id, approved_amount: 30.15 }),
      ],
      activities_count: 1,
      comments_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      _links: [
        { rel: 'self', method: 'GET', href: `${instance.url}/api/v1/reimbursements/${body.id}` },
        { rel: 'update', method: 'PUT', href: `${instance.url}/api/v1/reimbursements/${body.id}` },
        { rel: 'partial_update', method: 'PATCH', href: `${instance.url}/api/v1/reimbursements/${body.id}` },
        { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1/reimbursements/${body.id}` },
      ],
    })
    expect((await instance.member.api.get(`/reimbursements/${body.id}`)).body).toEqual(body)
  })

  test('an empty body names exactly what is required', async () => {
    const { status, body } = await instance.manager.api.send('POST', '/reimbursements', {})
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(['amount', 'date', 'payer', 'receiver'])
    expect(body.errors.date).toEqual(["can't be blank"])
  })

  test('plain ids name the parties, and the currency defaults to the receiver’s own', async () => {
    const plain = { payer_id: instance.organization_id, receiver_id: instance.member.user_id, amount: 1, date: '2026-01-01' }
    expect((await instance.manager.api.send('POST', '/reimbursements', plain)).body.currency).toBe('BRL')
    expect((await create({ currency: 'JPY', amount: 1200 })).currency).toBe('JPY')
    const expense = await approvedExpense(instance, { amount: 10, currency: 'USD' })
    expect((await create({ expense_ids: [expense.id] })).currency).toBe('USD')
  })

  test.each([
    [{ amount: 0 }, 'amount', 'must be greater than 0'],
    [{ amount: -5 }, 'amount', 'must be greater than 0'],
    [{ amount: 'much' }, 'amount', 'is not a number'],
    [{ amount: 1.005 }, 'amount', 'has more decimals than BRL allows'],
    [{ amount: 1.5, currency: 'JPY' }, 'amount', 'has more decimals than JPY allows'],
    [{ currency: 'EURO' }, 'currency', 'is not included in the list'],
    [{ date: '2026-02-30' }, 'date', 'is invalid'],
    [{ date: null }, 'date', "can't be blank"],
    [{ receiver: null }, 'receiver', "can't be blank"],
    [{ expense_ids: ['x'] }, 'expense_ids', 'is invalid'],
  ])('%j is refused under %s', async (attributes, field, text) => {
    const { status, body } = await post(attributes)
    expect(status).toBe(422)
    expect(body.errors[field]).toEqual([text])
  })

  test('the payer must have a relation with the receiver', async () => {
    const { status, body } = await post({ receiver: { id: instance.stranger.user_id, type: 'User' } })
    expect([status, body]).toEqual([422, { errors: { receiver: ['is not a member of this organization'] } }])
  })

  test('a payer that the caller does not belong to is treated as missing', async () => {
    const elsewhere = await instance.stranger.api.send('POST', '/organizations', { name: 'Elsewhere' })
    for (const id of [elsewhere.body.id, 999_999]) {
      const { status, body } = await post({ payer: { id, type: 'Organization' } })
      expect([status, body]).toEqual([422, { errors: { payer: ['is invalid'] } }])
    }
  })

  test('analysts and members may not', async () => {
    for (const person of [instance.analyst, instance.member])
      expect((await person.api.send('POST', '/reimbursements', newMoney(instance))).status).toBe(403)
  })

  test('the amount need not be the sum of the expenses', async () => {
    const expense = await approvedExpense(instance, { amount: 10 })
    expect(await create({ amount: 7.5, expense_ids: [expense.id] })).toMatchObject({ amount: 7.5 })
  })

  test('it is in the trail of the reimbursement and of each expense', async () => {
    const expense = await approvedExpense(instance, { amount: 10 })
    const { id } = await create({ amount: 10, expense_ids: [expense.id, expense.id] })
    const { body } = await instance.manager.api.get(`/reimbursements/${id}/activities`)
    expect(body.activities.map(({ changes }: Json) => changes)).toEqual(['Max Manager created the reimbursement of BRL\u00a010.00.'])
    expect(body.activities[0].subject).toEqual({ id, type: 'Reimbursement' })
    const trail = await instance.member.api.get(`/expenses/${expense.id}/activities`)
    expect(trail.body.activities[0].changes).toBe(
      `Max Manager moved the expense from Approved to Settled: the reimbursement from empty to ${id}.`,
    )
    expect(trail.body.activities[0].details).toEqual([
      { attribute: 'status', from: 'approved', to: 'liquidated' },
      { attribute: 'reimbursement_id', from: null, to: id },
    ])
  })
})

describe('expenses that cannot be joined', () => {
  const refused = async (attributes: Record<string, unknown>) => {
    const { status, body } = await post(attributes)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['expenses'])
    return body.errors.expenses
  }

  test('not approved', async () => {
    const { id } = await recordExpense(instance, instance.member)
    expect(await refused({ expense_ids: [id] })).toEqual([`${id} must be approved first`])
  })
  test('paid already', async () => {
    const { id } = await approvedExpense(instance)
    const payment = await create({ expense_ids: [id] })
    expect(await refused({ expense_ids: [id] })).toEqual([
      `${id} were paid already, by reimbursement ${payment.id}: open it to see what it paid`,
    ])
  })
  test('liquidated through advancement', async () => {
    const { id } = await approvedExpense(instance, { liquidate_through_advancement: true })
    await refused({ expense_ids: [id] })
    expect(await statusOf(id)).toBe('approved')
  })
  test('of another receiver', async () => {
    const { id } = await approvedExpense(instance, {}, instance.analyst)
    await refused({ expense_ids: [id] })
    const { analyst, member } = instance
    const receiver = (of: Person) => ({ receiver: { id: of.user_id, type: 'User' } })
    const recorded = await approvedExpense(instance, receiver(member), analyst)
    await refused({ expense_ids: [recorded.id], ...receiver(analyst) })
  })
  test('missing, deleted, or of an unknown organization: all get the same error', async () => {
    const elsewhere = await instance.stranger.api.send('POST', '/organizations', { name: 'Elsewhere' })
    const foreign = await recordExpense(instance, instance.stranger, { payer: { id: elsewhere.body.id, type: 'Organization' } })
    const gone = await recordExpense(instance, instance.member)
    await instance.member.api.send('DELETE', `/expenses/${gone.id}`)
    const texts = []
    for (const id of [999_999, foreign.id, gone.id])
      texts.push(...(await refused({ expense_ids: [id] })).map((text: string) => text.replace(String(id), '#')))
    expect(new Set(texts).size).toBe(1)
  })
  test('of several currencies, or of another than the reimbursement’s', async () => {
    const real = await approvedExpense(instance)
    const dollar = await approvedExpense(instance, { currency: 'USD' })
    expect(await refused({ expense_ids: [real.id, dollar.id] })).toEqual(['must share one approved currency'])
    await refused({ expense_ids: [real.id], currency: 'USD' })
    expect([await statusOf(real.id), await statusOf(dollar.id)]).toEqual(['approved', 'approved'])
  })
})

describe('a reimbursement as it could be', () => {
  test('names what could be joined and its sum, and stores nothing', async () => {
    const person = await instance.addUser('Paula Paid', 'member')
    const path = newPath({ receiver_id: person.user_id })
    const ids = []
    for (const amount of [0.1, 0.2]) ids.push((await approvedExpense(instance, { amount }, person)).id)
    await approvedExpense(instance, { amount: 5, currency: 'USD' }, person)
    await approvedExpense(instance, { amount: 5, liquidate_through_advancement: true }, person)
    await recordExpense(instance, person, { amount: 9 })
    const { status, body } = await instance.manager.api.get(path)
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: null, amount: 0.3, currency: 'BRL', date: null, tags: [], created_at: null })
    expect(body.payer.id).toBe(instance.organization_id)
    expect(body.receiver.id).toBe(person.user_id)
    expect(body.expenses.map(({ id }: Json) => id)).toEqual(ids)
    const { expense_ids = ids, amount } = body
    await create({ receiver: { id: person.user_id, type: 'User' }, amount, expense_ids })
    expect((await instance.manager.api.get(path)).body).toMatchObject({ amount: 0, expenses: [] })
  })
  test('its parameters may be in a JSON body', async () => {
    const body = { payer_id: instance.organization_id, receiver_id: instance.member.user_id, currency: 'USD' }
    const response = await getWithBody(instance.url, instance.manager, { path: '/reimbursements/new', body })
    expect(response).toMatchObject({ status: 200, body: { id: null, currency: 'USD' } })
  })
  test('needs payer, receiver and currency', async () => {
    const { status, body } = await instance.manager.api.get('/reimbursements/new')
    expect(status).toBe(422)
    expect(body.errors).toEqual({ payer_id: ["can't be blank"], receiver_id: ["can't be blank"], currency: ["can't be blank"] })
  })
  test('is for those who could make it', async () => {
    expect((await instance.analyst.api.get(newPath())).status).toBe(403)
    expect((await instance.member.api.get(newPath())).status).toBe(403)
    expect((await instance.stranger.api.get(newPath())).status).toBe(404)
    const { status, body } = await instance.manager.api.get(newPath({ receiver_id: instance.stranger.user_id }))
    expect([status, Object.keys(body.errors)]).toEqual([422, ['receiver']])
  })
})

test('a repeat with the same idempotency key pays once', async () => {
  const expense = await approvedExpense(instance)
  const body = newMoney(instance, { expense_ids: [expense.id] })
  const headers = { 'idempotency-key': 'pay once' }
  const first = await instance.manager.api.send('POST', '/reimbursements', body, headers)
  const second = await instance.manager.api.send('POST', '/reimbursements', body, headers)
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
  expect(second.headers.get('idempotency-replayed')).toBe('true')
})

test('a batch makes and deletes reimbursements, and knows no `new` among them', async () => {
  const expense = await approvedExpense(instance)
  const operations = [
    { method: 'POST', path: '/reimbursements', body: newMoney(instance, { expense_ids: [expense.id] }) },
    { method: 'DELETE', path: '/reimbursements/new' },
  ]
  const { body } = await instance.manager.api.send('POST', '/batch', { operations })
  expect(body.results.map(({ status }: Json) => status)).toEqual([201, 404])
})
