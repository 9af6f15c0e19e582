import { beforeAll, describe, expect, test } from 'vitest'
import { expenseListOptions } from '#shared/contract/expenses'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { registerCard } from '#test/support/cards'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { getWithBody } from '#test/support/raw-http'

type Attribute = keyof typeof expenseListOptions.attributes
type Value = string | number | boolean | null
let rows: Json[]
const instance = await instanceOfFile()
beforeAll(async () => {
  const { member, analyst, manager } = instance
  for (const name of ['2001-01', '2002-12'])
    await instance.admin.api.send('POST', `/organizations/${instance.organization_id}/closings`, { name })
  const made = [
    await recordExpense(instance, member, {
      amount: 10,
      description: 'Taxi to the airport',
      location: 'São Paulo',
      tags: ['travel', 'Taxi'],
    }),
    await recordExpense(instance, member, {
      amount: 10.01,
      description: 'taxi back',
      occurred_at: '2026-03-05T10:00:00Z',
      tags: ['travel'],
    }),
    await recordExpense(instance, member, {
      amount: 1000,
      currency: 'JPY',
      description: '100% off_peak',
      location: 'Osaka',
      supplier_name: '100% Sol',
      supplier_tax_id: 'T123',
      justification: 'Client dinner',
    }),
    await recordExpense(instance, analyst, { amount: 9.999, currency: 'KWD', liquidate_through_advancement: true }),
    await recordExpense(instance, analyst, {
      kind: 'distance',
      distance: 12.5,
      distance_kind: 'km',
      occurred_at: '2025-12-31',
      description: 'Client visit',
    }),
    await recordExpense(instance, manager, {
      amount: 77,
      currency: 'USD',
      description: 'Hotel',
      location: 'sao paulo',
      supplier_name: 'Hotel Lua',
      supplier_tax_id: '11.222.333/0001-81',
      justification: 'Late train',
    }),
    await recordExpense(instance, member, { amount: 3, occurred_at: '2001-01-09' }),
    await recordExpense(instance, member, { amount: 4, occurred_at: '2002-12-31' }),
  ]
  await moveExpense(manager, made[0].id, { status: 'approved', approved_amount: 9.5 })
  await moveExpense(manager, made[5].id, { status: 'analyzing' })
  const card = await registerCard(instance, member)
  for (const [index, day] of ['2026-03-06', '2026-04-07'].entries()) {
    const home = `/organizations/${instance.organization_id}`
    const bill = { corporative_card_id: card.id, name: 'Bakery', occurred_at: day, amount: 5, currency: 'BRL', external_id: day }
    const line = (await manager.api.send('POST', `${home}/statement_lines`, bill)).body
    await manager.api.send('POST', `${home}/statement_matches`, { statement_line_id: line.id, expense_id: made[index + 1].id })
  }
  rows = (await manager.api.get('/expenses?sort=id')).body.expenses
})

function valueOf(row: Json, attribute: Attribute): Value {
  if (attribute === 'payer_id') return row.payer.id
  if (attribute === 'receiver_id') return row.receiver.id
  if (attribute === 'responsible_user_id') return row.responsible_user?.id ?? null
  return row[attribute]
}

/** What each predicate of the grammar means, on the values that representations show. */
const meanings: Record<string, (value: Value, given: Value[]) => boolean> = {
  eq: (value, [given]) => value === given,
  not_eq: (value, [given]) => value !== given,
  in: (value, given) => given.includes(value),
  not_in: (value, given) => !given.includes(value),
  lt: (value, [given]) => isBoth(value, given, (a, b) => a < b),
  lteq: (value, [given]) => isBoth(value, given, (a, b) => a <= b),
  gt: (value, [given]) => isBoth(value, given, (a, b) => a > b),
  gteq: (value, [given]) => isBoth(value, given, (a, b) => a >= b),
  cont: (value, [given]) => lower(value).includes(lower(given)),
  start: (value, [given]) => lower(value).startsWith(lower(given)),
}
function isBoth(
  value: Value | undefined,
  given: Value | undefined,
  holds: (a: string | number | boolean, b: string | number | boolean) => boolean,
) {
  return value != null && given != null && holds(value, given)
}
const lower = (value: Value | undefined) => String(value ?? '\0').toLowerCase()

const search = async (q: Json) =>
  (await getWithBody(instance.url, instance.manager, { path: '/expenses?sort=id&per_page=100', body: { q } })).body
const found = async (q: Json): Promise<number[]> => (await search(q)).expenses.map(({ id }: Json) => id)
const expected = (holds: (row: Json) => boolean): number[] => rows.filter(holds).map(({ id }) => id)

describe.each(Object.entries(expenseListOptions.attributes))('%s, %s', (name, kind) => {
  const attribute = name as Attribute
  const ordered = kind === 'flag' ? [] : ['lt', 'lteq', 'gt', 'gteq']
  const textual = kind === 'text' ? ['cont', 'start'] : []

  test.each(['eq', 'not_eq', 'in', 'not_in', ...ordered, ...textual])('_%s finds what it says', async (predicate) => {
    const values = [...new Set(rows.map((row) => valueOf(row, attribute)))].filter((value) => value !== null)
    const samples = values.length > 0 ? values : [1]
    for (const [index, value] of samples.entries()) {
      const isList = predicate === 'in' || predicate === 'not_in'
      const given = isList ? [value, samples[index + 1] ?? value] : [value]
      const holds = (row: Json) => meanings[predicate]?.(valueOf(row, attribute), given) ?? false
      expect(await found({ [`${name}_${predicate}`]: isList ? given : value })).toEqual(expected(holds))
    }
  })

  test('_null finds what has none, or has one', async () => {
    for (const truth of [true, '1', 1])
      expect(await found({ [`${name}_null`]: truth })).toEqual(expected((row) => valueOf(row, attribute) === null))
    for (const truth of [false, '0', 0])
      expect(await found({ [`${name}_null`]: truth })).toEqual(expected((row) => valueOf(row, attribute) !== null))
  })

  test('sorts both ways', async () => {
    for (const direction of ['', '-']) {
      const { body } = await instance.manager.api.get(`/expenses?sort=${direction}${name}`)
      const values: Value[] = body.expenses.map((row: Json) => valueOf(row, attribute)).filter((value: Value) => value !== null)
      const sorted = values.toSorted((a, b) => (a === b ? 0 : (a ?? '') < (b ?? '') ? -1 : 1))
      expect(values).toEqual(direction === '' ? sorted : sorted.toReversed())
      expect(body.expenses).toHaveLength(rows.length)
    }
  })

  test('refuses a value of another kind, and a predicate that it does not have', async () => {
    const wrong = kind === 'text' ? [1, true, {}, null, ['x']] : ['x', {}, null, [1], 'NaN']
    for (const value of wrong) {
      const body = await search({ [`${name}_eq`]: value })
      expect(body).toEqual({ errors: { q: [`${name}_eq has a value of the wrong type`] } })
    }
    for (const predicate of kind === 'flag' ? ['lt', 'cont'] : kind === 'text' ? [] : ['cont', 'start'])
      expect(await search({ [`${name}_${predicate}`]: 1 })).toEqual({
        errors: { q: [`${name}_${predicate} is not a filter of this list`] },
      })
  })
})

test('LIKE’s own signs are letters like any other', async () => {
  expect(await found({ description_cont: '%' })).toEqual(expected(({ description }) => description?.includes('%')))
  expect(await found({ description_cont: 'f_p' })).toEqual(expected(({ description }) => description?.includes('f_p')))
  expect(await found({ description_cont: '\\' })).toEqual([])
})

test('the query string takes the same filters, as existing clients send them', async () => {
  const [first, second] = rows
  const { api } = instance.manager
  const ids = async (query: string) => (await api.get(`/expenses?sort=id&${query}`)).body.expenses.map(({ id }: Json) => id)
  expect(await ids(`q[id_in][]=${first.id}&q[id_in][]=${second.id}`)).toEqual([first.id, second.id])
  expect(await ids(`q%5Bid_in%5D%5B%5D=${first.id}`)).toEqual([first.id])
  expect(await ids('q[amount_gteq]=10.01&q[amount_lt]=70')).toEqual(expected(({ amount }) => amount >= 10.01 && amount < 70))
  expect(await ids('q[liquidate_through_advancement_eq]=1')).toEqual(expected((row) => row.liquidate_through_advancement))
})

test('a long list of ids is not cut short', async () => {
  const many = Array.from({ length: 900 }, (_, index) => `q[id_in][]=${index + 10_000}`).join('&')
  const { body } = await instance.manager.api.get(`/expenses?${many}&q[id_in][]=${rows[0].id}&q[status_eq]=approved`)
  expect(body.expenses.map(({ id }: Json) => id)).toEqual([rows[0].id])
})

test('the body wins where both give the same filter, and the others of both hold', async () => {
  const path = '/expenses?sort=id&q[amount_gteq]=1000&q[currency_eq]=BRL'
  const { body } = await getWithBody(instance.url, instance.manager, { path, body: { q: { amount_gteq: 10 } } })
  expect(body.expenses.map(({ id }: Json) => id)).toEqual(expected(({ amount, currency }) => amount >= 10 && currency === 'BRL'))
})

test.each([
  [{ nothing_eq: 1 }, 'nothing_eq is not a filter of this list'],
  [{ amount: 1 }, 'amount is not a filter of this list'],
  [{ uid_eq: 'x' }, 'uid_eq is not a filter of this list'],
  [{ constructor_eq: 'x' }, 'constructor_eq is not a filter of this list'],
  [{ amount_scaled_eq: 1 }, 'amount_scaled_eq is not a filter of this list'],
  [{ amount_gteq: 'ten' }, 'amount_gteq has a value of the wrong type'],
  [{ occurred_at_gteq: '2023-02-30' }, 'occurred_at_gteq has a value of the wrong type'],
  [{ id_in: [1, 'x'] }, 'id_in has a value of the wrong type'],
  [{ has_tag: 'maybe' }, 'has_tag has a value of the wrong type'],
  [{ queue: 'other' }, 'queue has a value of the wrong type'],
  [{ flag_conditions: [1] }, 'flag_conditions has a value of the wrong type'],
  [{ responsible_is_me: '0' }, 'responsible_is_me has a value of the wrong type'],
  [{ flag_policy_ids: ['x'] }, 'flag_policy_ids has a value of the wrong type'],
])('%j is 422 under q', async (q, message) => {
  expect(await search(q)).toEqual({ errors: { q: [message] } })
})

test.each(['q=1', 'q[]=1', 'sort=nothing', 'sort=uid', 'sort=amount,constructor'])('%s is 422', async (query) => {
  expect((await instance.manager.api.get(`/expenses?${query}`)).status).toBe(422)
})

test('several errors are returned together', async () => {
  expect((await search({ nothing_eq: 1, amount_gteq: 'ten' })).errors.q).toHaveLength(2)
})

test('tags: every name must be there, whatever its case; has_tag asks for any or none', async () => {
  expect(await found({ search_tags: 'TRAVEL' })).toEqual(expected(({ tags }) => tags.includes('travel')))
  expect(await found({ search_tags: 'travel,taxi' })).toEqual([rows[0].id])
  expect(await found({ search_tags: 'unknown' })).toEqual([])
  expect(await found({ has_tag: '1' })).toEqual(expected(({ tags }) => tags !== ''))
  expect(await found({ has_tag: '0' })).toEqual(expected(({ tags }) => tags === ''))
  expect(await found({ has_tag: '' })).toEqual(expected(() => true))
})

test('orders by several attributes, then by id', async () => {
  const { body } = await instance.manager.api.get('/expenses?sort=currency,-amount')
  const order = rows.toSorted((a, b) => a.currency.localeCompare(b.currency) || b.amount - a.amount || a.id - b.id)
  expect(body.expenses.map(({ id }: Json) => id)).toEqual(order.map(({ id }) => id))
})

test("no filter and no order shows a member other people's records", async () => {
  const own = expected(({ receiver }) => receiver.id === instance.member.user_id)
  for (const q of [
    {},
    { id_gteq: 0 },
    { payer_id_eq: instance.organization_id },
    { receiver_id_not_eq: instance.member.user_id },
    { status_not_in: [] },
  ]) {
    const { body } = await getWithBody(instance.url, instance.member, { path: '/expenses?sort=id', body: { q } })
    const ids: number[] = body.expenses.map(({ id }: Json) => id)
    expect(ids.filter((id) => !own.includes(id))).toEqual([])
    expect(body.count).toBe(ids.length)
  }
})
