import { beforeAll, expect, test } from 'vitest'
import { instanceOfFile } from '#test/support/of-file'
import { checked } from '#test/support/contract'
import { moveExpense, recordExpense } from '#test/support/expenses'

const sheets = () => `/organizations/${instance.organization_id}/exchange_rates`
const report = (more = '') => `/reports/spending?group_by=tag&convert_to=BRL&q[payer_id_eq]=${instance.organization_id}${more}`

const instance = await instanceOfFile()
beforeAll(async () => {
  await recordExpense(instance, instance.member, { amount: 10, tags: ['a'] })
  await recordExpense(instance, instance.member, { amount: 3.33, currency: 'USD', tags: ['a'] })
  await recordExpense(instance, instance.member, { amount: 1000, currency: 'JPY', tags: ['b'], occurred_at: '2026-03-09' })
  const { id } = await recordExpense(instance, instance.member, { amount: 100, currency: 'USD', tags: ['b'] })
  const abroad = { status: 'approved', approved_amount: 512.34, approved_amount_currency: 'BRL' }
  await moveExpense(instance.manager, id, abroad)
})

test('without rates each currency stays apart, and the report says which day has none', async () => {
  const { panels, unconverted } = (await checked(instance.manager.api).get(report())).body
  expect(panels.map(({ currency }: { currency: string }) => currency).toSorted()).toEqual(['BRL', 'JPY', 'USD'])
  expect(unconverted).toEqual([
    { currency: 'JPY', day: '2026-03-09' },
    { currency: 'USD', day: '2026-03-04' },
  ])
})

test('with rates there is one panel, which says by which; an approval in the currency counts as it is', async () => {
  const api = checked(instance.manager.api)
  const hand = { name: 'March', source: 'hand', currency: 'BRL', rates: '2026-03-01 USD 5.4321' }
  const stored = await api.send('POST', sheets(), hand)
  expect(stored.status).toBe(201)
  const ecb = { name: 'ECB 2026-03', source: 'ecb', currency: 'EUR', rates: 'Date,JPY,BRL\n2026-03-06,160,5.20' }
  expect((await api.send('POST', sheets(), ecb)).status).toBe(201)
  const { panels, rates, unconverted } = (await api.get(report())).body
  // 10.00 + 3.33 USD at 5.4321 = 18.088893; 1000 JPY at 5.20 / 160 = 32.50; 512.34 as it was approved.
  expect(panels).toMatchObject([{ currency: 'BRL', currencies: ['BRL', 'JPY', 'USD'], count: 4, amount_minor: 57293 }])
  expect(panels[0].groups).toMatchObject([
    { key: 'b', count: 2, amount_minor: 54484 },
    { key: 'a', count: 2, amount_minor: 2809 },
  ])
  expect(rates).toEqual([
    { currency: 'JPY', day: '2026-03-06', rate: '0.0325', source: 'ecb' },
    { currency: 'USD', day: '2026-03-01', rate: '5.4321', source: 'hand' },
  ])
  expect(unconverted).toEqual([])
  expect((await instance.member.api.get(report())).body.panels).toEqual(panels)
  expect((await instance.stranger.api.get(report())).body).toMatchObject({ panels: [], rates: [] })
  await api.send('PATCH', `${sheets()}/${stored.body.id}`, { rates: '2026-03-01 USD 6' })
  expect((await api.get(report('&q[counted_currency]=USD'))).body.panels).toMatchObject([{ amount_minor: 1998 }])
})

test('rates that cannot be read are refused, and only managers write them', async () => {
  const { api } = instance.manager
  const sheet = { name: 'x', source: 'hand', currency: 'BRL', rates: '2026-03-01 USD 5.40' }
  expect((await api.send('POST', sheets(), { ...sheet, rates: '2026-02-30 USD 5' })).body.errors).toHaveProperty('rates')
  expect((await api.send('POST', sheets(), { ...sheet, source: 'ecb' })).body.errors).toHaveProperty('currency')
  expect((await instance.analyst.api.send('POST', sheets(), sheet)).status).toBe(403)
  expect((await instance.member.api.get(sheets())).body.count).toBe(2)
  expect((await instance.stranger.api.get(sheets())).status).toBe(404)
})

test('of many months the newest are shown, and the others are summed', async () => {
  const path = `/reports/spending?group_by=month&limit=2&q[payer_id_eq]=${instance.organization_id}&q[currency_eq]=JPY`
  await recordExpense(instance, instance.member, { amount: 7, currency: 'JPY', occurred_at: '2025-11-09' })
  const { panels } = (await checked(instance.manager.api).get(path)).body
  expect(panels[0].groups.map(({ key, amount_minor }: { key: string; amount_minor: number }) => [key, amount_minor])).toEqual([
    ['2026-02', 0],
    ['2026-03', 1000],
  ])
  expect(panels[0].others).toMatchObject({ groups: 3, count: 1, amount_minor: 7 })
})

test('a closed month keeps the rates that it was closed with; what it lacked can be added', async () => {
  const { api } = instance.admin
  const sheet = { name: 'February', source: 'hand', currency: 'BRL', rates: '2024-02-01 USD 5' }
  const { id } = (await api.send('POST', sheets(), sheet)).body
  await recordExpense(instance, instance.member, { amount: 10, currency: 'USD', occurred_at: '2024-02-10' })
  await recordExpense(instance, instance.member, { amount: 10, currency: 'CHF', occurred_at: '2024-02-10' })
  const february = () => checked(api).get(report('&q[occurred_at_gteq]=2024-02-01&q[occurred_at_lt]=2024-03-01'))
  const closings = `/organizations/${instance.organization_id}/closings`
  const closed = (await checked(api).send('POST', closings, { name: '2024-02' })).body
  await api.send('PATCH', `${sheets()}/${id}`, { rates: '2024-02-01 USD 6' })
  expect((await february()).body).toMatchObject({
    panels: [{ currency: 'BRL', amount_minor: 5000 }, { currency: 'CHF' }],
    rates: [{ currency: 'USD', rate: '5', source: 'hand' }],
  })
  await api.send('POST', sheets(), { ...sheet, name: 'Francs', rates: '2024-02-02 CHF 3\n2024-02-03 USD 9' })
  expect((await february()).body.panels).toMatchObject([{ amount_minor: 8000 }])
  expect((await api.send('DELETE', `${sheets()}/${id}`)).status).toBe(204)
  expect((await february()).body.panels).toMatchObject([{ amount_minor: 8000 }])
  expect((await api.send('PATCH', `${closings}/${closed.id}`, { reopening: 'Wrong rates' })).status).toBe(200)
  expect((await february()).body.panels).toMatchObject([{ amount_minor: 12_000 }])
})
