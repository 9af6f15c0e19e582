import { beforeAll, expect, test } from 'vitest'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'

const day = '2025-06-01'
const sentence = 'BGN was withdrawn from ISO 4217: records that have it keep it, new ones need another currency'
let parties: { payer_id: number; receiver_id: number }
/** Records of the time when BGN was active. */
let old: { expense: number; advancement: number; ride: number }
const instance = await instanceOfFile()
beforeAll(async () => {
  const { member, manager, organization_id } = instance
  parties = { payer_id: organization_id, receiver_id: member.user_id }
  const make = async (path: string, body: Json) => (await manager.api.send('POST', path, body)).body.id
  const expense = await make('/expenses', { ...parties, amount: 12.34, currency: 'BRL', occurred_at: day })
  const advancement = await make('/advancements', { ...parties, amount: 50, currency: 'BRL', date: day })
  const ride = (await member.api.send('POST', '/pre_expenses', { description: 'Ride', amount: 7, currency: 'BRL', occurred_at: day })).body
    .id
  old = { expense, advancement, ride }
  const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }
  await instance.app.store.transact(nobody, async (tx) => {
    for (const table of ['expenses', 'advancements', 'pre_expenses']) await tx.write(`UPDATE ${table} SET currency = 'BGN'`, [])
  })
})

test.each([
  ['expenses', (): Json => ({ ...parties, amount: 1, occurred_at: day })],
  ['advancements', (): Json => ({ ...parties, amount: 1, date: day })],
  ['reimbursements', (): Json => ({ ...parties, amount: 1, date: day })],
  ['pre_expenses', (): Json => ({ description: 'Ride', amount: 1, occurred_at: day })],
])('new %s in a withdrawn currency are refused with a sentence, those in its successor are not', async (path, body) => {
  const { api } = instance.manager
  const refused = await api.send('POST', `/${path}`, { ...body(), currency: 'BGN' })
  expect([refused.status, refused.body]).toEqual([422, { errors: { currency: [sentence] } }])
  expect((await api.send('POST', `/${path}`, { ...body(), currency: 'XCG' })).status).toBe(201)
})

test('no preference and no rate becomes one', async () => {
  const { admin, organization_id } = instance
  const preferences = await admin.api.send('PATCH', '/preferences', { default_currency: 'BGN' })
  expect([preferences.status, preferences.body]).toEqual([422, { errors: { default_currency: [sentence] } }])
  const rate = await admin.api.send('POST', `/organizations/${organization_id}/distances_rules`, { amount: 1, currency: 'BGN' })
  expect([rate.status, rate.body]).toEqual([422, { errors: { currency: [sentence] } }])
})

test('an old record is shown, found, summed up and edited as ever, as long as it keeps its currency', async () => {
  const { manager } = instance
  const shown = await manager.api.get(`/expenses/${old.expense}`)
  expect(shown.body).toMatchObject({ amount: 12.34, currency: 'BGN' })
  expect((await manager.api.get('/expenses?q[currency_eq]=BGN')).body.count).toBe(1)
  const { groups } = (await manager.api.get('/expenses/summary?group_by=status&q[currency_eq]=BGN')).body
  expect(groups[0].totals).toEqual([expect.objectContaining({ currency: 'BGN', amount: 12.34 })])
  for (const [method, body] of [
    ['PUT', shown.body],
    ['PATCH', { amount: 12.35, currency: 'BGN', description: 'Taxi' }],
  ] as const)
    expect((await manager.api.send(method, `/expenses/${old.expense}`, body)).status).toBe(200)
  expect((await manager.api.send('PATCH', `/advancements/${old.advancement}`, { amount: 49.5 })).body).toMatchObject({ amount: 49.5 })
  expect((await manager.api.send('PATCH', `/expenses/${old.expense}`, { currency: 'CUC' })).status).toBe(422)
})

test('debts in it can still be approved, paid and returned', async () => {
  const { manager, member } = instance
  const converted = await member.api.send('POST', `/pre_expenses/${old.ride}/convert`, { payer_id: parties.payer_id, amount: 7 })
  expect(converted.body).toMatchObject({ currency: 'BGN', amount: 7 })
  const approve = (currency: string) =>
    manager.api.send('PUT', `/expenses/${old.expense}/status`, {
      status: 'approved',
      approved_amount: 12,
      approved_amount_currency: currency,
    })
  expect((await approve('ANG')).body.errors).toHaveProperty('approved_amount_currency')
  expect((await approve('BGN')).status).toBe(200)
  const paid = await manager.api.send('POST', '/reimbursements', { ...parties, amount: 12, date: day, expense_ids: [old.expense] })
  expect([paid.status, paid.body.currency]).toEqual([201, 'BGN'])
  const back = await manager.api.send('POST', '/advancement_devolutions', { ...parties, amount: 49.5, currency: 'BGN', date: day })
  expect(back.status).toBe(201)
})
