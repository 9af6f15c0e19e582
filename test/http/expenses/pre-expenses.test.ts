import { describe, expect, test } from 'vitest'
import { checked } from '#test/support/contract'
import type { Api, Json, Person } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { path, preExpensesOf, ride } from '#test/support/pre-expenses'

const instance = await instanceOfFile()
const client = preExpensesOf(instance)

const api = (person: Person): Api => checked(person.api)

describe('POST pre_expenses', () => {
  test('records the given values, and says whether they are enough', async () => {
    const body = await client.made({ extra_information: { ride: { km: 3.2, stops: ['a', null] } }, external_id: 'r-1' })
    expect(body).toMatchObject({
      description: 'Ride',
      amount: 23.4,
      currency: 'BRL',
      status: 'completed',
      occurred_at: '2026-03-04T10:00:00Z',
      tags: 'taxi, night',
      extra_information: { ride: { km: 3.2, stops: ['a', null] } },
      external_id: 'r-1',
      ignored_at: null,
      converted_at: null,
      deleted_at: null,
      expense_id: null,
      receiver: { id: instance.member.user_id, type: 'User' },
    })
    const href = `${path}/${body.id}`
    expect(body._links).toEqual([
      { rel: 'self', method: 'GET', href: `${instance.url}/api/v1${href}` },
      { rel: 'ignore', method: 'PUT', href: `${instance.url}/api/v1${href}/ignore` },
      { rel: 'restore', method: 'PATCH', href: `${instance.url}/api/v1${href}/restore` },
      { rel: 'destroy', method: 'DELETE', href: `${instance.url}/api/v1${href}` },
    ])
    const shown = await api(instance.member).get(href)
    expect(shown.body).toEqual(body)
    expect(shown.headers.get('etag')).toBe(`"${body.uid}.1"`)
    expect((await client.made({ tags: ' taxi ,, Taxi, hotel ' })).tags).toBe('taxi, hotel')
  })

  test('is in progress while amount, currency or date is missing', async () => {
    for (const missing of [{ amount: null }, { occurred_at: null }, { amount: null, currency: null }])
      expect(await client.made(missing)).toMatchObject({ ...missing, status: 'in_progress' })
    expect((await client.post({})).body).toMatchObject({ status: 'in_progress', amount: null, currency: null, tags: '', description: null })
  })

  test("an amount without a currency is in the receiver's own", async () => {
    expect(await client.made({ currency: undefined, amount: 1 })).toMatchObject({ amount: 1, currency: 'BRL', status: 'completed' })
  })

  test.each([
    [{ amount: 0 }, 'amount', 'must be greater than 0'],
    [{ amount: 1.234 }, 'amount', 'has more decimals than BRL allows'],
    [{ amount: 'x' }, 'amount', 'is not a number'],
    [{ currency: 'XXQ' }, 'currency', 'is not included in the list'],
    [{ occurred_at: '2026-02-30' }, 'occurred_at', 'is invalid'],
    [{ extra_information: 'x' }, 'extra_information', 'is invalid'],
    [{ extra_information: [1] }, 'extra_information', 'is invalid'],
    [{ extra_information: { text: 'é'.repeat(33_000) } }, 'extra_information', 'is too large'],
    [{ external_id: 'x'.repeat(256) }, 'external_id', 'is too long (maximum is 255 characters)'],
    [{ receiver: { id: 999_999, type: 'User' } }, 'receiver', 'is invalid'],
  ])('refuses %j', async (attributes, name, text) => {
    const { status, body } = await client.post({ ...ride, ...attributes })
    expect({ status, body }).toEqual({ status: 422, body: { errors: { [name]: [text] } } })
  })

  test('a repeat of the external id by the same author returns the existing one', async () => {
    const first = await client.made({ external_id: 'same' })
    const repeat = await client.post({ external_id: 'same', amount: 99 })
    expect([repeat.status, repeat.body]).toEqual([200, first])
    expect(repeat.headers.get('etag')).toBe(`"${first.uid}.1"`)
    const other = await client.post({ ...ride, external_id: 'same' }, instance.analyst)
    expect([other.status, other.body.id === first.id]).toEqual([201, false])
    await instance.member.api.send('DELETE', `${path}/${first.id}`)
    expect((await client.post({ ...ride, external_id: 'same' })).status).toBe(201)
  })

  test('names another receiver where an analyst shares an organization with them', async () => {
    const receiver = { id: instance.member.user_id, type: 'User' }
    for (const person of [instance.analyst, instance.manager, instance.admin]) {
      const { body } = await api(person).send('POST', path, { ...ride, receiver })
      expect(body.receiver.id).toBe(instance.member.user_id)
      expect((await person.api.get(`${path}/${body.id}`)).status).toBe(404)
      expect((await instance.member.api.get(`${path}/${body.id}`)).status).toBe(200)
    }
    expect((await client.post({ ...ride, receiver_id: instance.analyst.user_id })).status).toBe(403)
    expect((await client.post({ ...ride, receiver }, instance.stranger)).body).toEqual({ errors: { receiver: ['is invalid'] } })
    expect((await client.post({ ...ride, receiver: { id: instance.stranger.user_id } }, instance.admin)).status).toBe(422)
    expect((await client.post(ride, instance.stranger)).status).toBe(201)
  })
})

describe('GET pre_expenses', () => {
  test("lists the caller's own by status, waiting ones by default", async () => {
    const [waiting, ignored, converted] = [await client.made(), await client.made(), await client.made()]
    await client.act(ignored.id, 'ignore')
    await client.convert(converted.id)
    const lists = await Promise.all([undefined, 'waiting_approval', 'ignored', 'converted'].map((status) => client.listed(status)))
    for (const [index, mine] of [waiting, waiting, ignored, converted].entries()) {
      expect(lists[index]).toContain(mine.id)
      for (const other of [waiting, ignored, converted]) if (other !== mine) expect(lists[index]).not.toContain(other.id)
    }
    expect(lists[0]).toEqual([...(lists[0] ?? [])].sort((a, b) => a - b))
    for (const person of [instance.manager, instance.stranger]) expect(await client.listed(undefined, person)).not.toContain(waiting.id)
  })

  test('rejects an unknown status, and pages like every list', async () => {
    const { status, body } = await instance.member.api.get(`${path}?status=deleted`)
    expect({ status, body }).toEqual({ status: 422, body: { errors: { status: ['is not included in the list'] } } })
    expect((await instance.member.api.send('GET', `${path}?per_page=0`)).status).toBe(422)
    const page = await api(instance.member).get(`${path}?per_page=1&q[amount_gteq]=23&sort=-amount`)
    expect(page.body).toMatchObject({ current_page: 1, pre_expenses: [{ status: 'completed' }] })
    expect(page.headers.get('link')).toContain('rel=next')
    expect((await instance.member.api.get(`${path}?q[tags_eq]=x`)).status).toBe(422)
  })

  test('is only for the receiver: for others it does not exist', async () => {
    const { id } = await client.made()
    for (const person of [instance.admin, instance.manager, instance.stranger])
      for (const [method, what] of [
        ['GET', ''],
        ['DELETE', ''],
        ['PUT', '/ignore'],
        ['PATCH', '/restore'],
      ] as const)
        expect((await person.api.send(method, `${path}/${id}${what}`)).body).toEqual({ errors: { message: 'Record Not Found' } })
    expect((await client.convert(id, {}, instance.admin)).status).toBe(404)
  })
})

describe('ignore and restore', () => {
  test('take it out of the default list and put it back; doing so again changes nothing', async () => {
    const { id } = await client.made()
    const ignored = await client.act(id, 'ignore')
    expect(ignored.body).toMatchObject({ version: 2, converted_at: null })
    expect(ignored.body.ignored_at).toMatch(/^\d{4}-.*Z$/)
    expect((await client.act(id, 'ignore')).body).toEqual(ignored.body)
    for (const method of ['PUT', 'PATCH']) {
      const restored = await client.act(id, 'restore', method)
      expect(restored.body).toMatchObject({ ignored_at: null })
      expect((await client.act(id, 'restore', method)).body).toEqual(restored.body)
      await client.act(id, 'ignore')
    }
  })

  test('honour If-Match', async () => {
    const { id, uid } = await client.made()
    const ignore = () => instance.member.api.send('PUT', `${path}/${id}/ignore`, undefined, { 'if-match': `"${uid}.1"` })
    expect((await ignore()).status).toBe(200)
    expect((await ignore()).status).toBe(412)
    const payer = { id: instance.organization_id, type: 'Organization' }
    const stale = { 'if-match': `"${uid}.1"` }
    expect((await instance.member.api.send('DELETE', `${path}/${id}`, undefined, stale)).status).toBe(412)
    expect((await instance.member.api.send('POST', `${path}/${id}/convert`, { payer, amount: 1 }, stale)).status).toBe(412)
  })
})

test('deleting is final in every state, and leaves the expense', async () => {
  for (const state of ['waiting', 'ignored', 'converted']) {
    const { id } = await client.made()
    if (state === 'ignored') await client.act(id, 'ignore')
    const expense = state === 'converted' ? (await client.convert(id)).body : undefined
    const done = await api(instance.member).send('DELETE', `${path}/${id}`)
    expect([done.status, done.body]).toEqual([204, null])
    for (const [method, what] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PUT', '/ignore'],
      ['PUT', '/restore'],
    ] as const)
      expect((await instance.member.api.send(method, `${path}/${id}${what}`)).status).toBe(404)
    if (expense) expect((await instance.member.api.get(`/expenses/${expense.id}`)).body.pre_expense_id).toBe(id)
  }
})

test('every change is in the audit trail, for the receiver only', async () => {
  const { id } = await client.made()
  await client.act(id, 'ignore')
  await client.act(id, 'ignore')
  await client.act(id, 'restore')
  await client.convert(id)
  const told = async (person: Person) =>
    (await person.api.get('/activities?per_page=20')).body.activities
      .filter(({ subject }: Json) => subject.type === 'PreExpense' && subject.id === id)
      .map(({ changes }: Json) => changes)
  expect(await told(instance.member)).toEqual([
    'Mel Member converted the suggested expense into an expense.',
    'Mel Member restored the suggested expense.',
    'Mel Member ignored the suggested expense.',
    'Mel Member created the suggested expense.',
  ])
  expect(await told(instance.admin)).toEqual([])
})
