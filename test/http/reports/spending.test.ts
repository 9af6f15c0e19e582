import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseAmount } from '#shared/domain/money'
import type { ReportDimension } from '#shared/domain/reports/reports'
import { checked } from '#test/support/contract'
import { getWithBody } from '#test/support/raw-http'
import type { Instance, Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import { countedOf, listAll, recordGenerated, someFilters, supplierOf, tagsIn } from '#test/support/reports/generated'

const instance = await instanceOfFile()
await recordGenerated(instance, { count: 150, seed: 17 })

const report = async (person: Instance['member'], path: string, q: Record<string, unknown>) =>
  getWithBody(instance.url, person, { path: `/reports/${path}`, body: { q } })

const keysOf: Readonly<Partial<Record<ReportDimension, (expense: Json) => unknown[]>>> = {
  month: ({ occurred_at }) => [occurred_at.slice(0, 7)],
  tag: ({ tags }) => (tags === '' ? [null] : tagsIn(tags)),
  receiver: ({ receiver }) => [receiver.id],
  supplier: (expense) => [supplierOf(expense)],
  status: ({ status }) => [status],
  card: ({ corporative_card_id }) => [corporative_card_id],
  currency: ({ currency }) => [currency],
}

const minorOf = ({ amount, currency }: { amount: number; currency: string }) => {
  const parsed = parseAmount(amount, currency)
  if (parsed.kind !== 'ok') throw new Error(`${amount} ${currency}`)
  return parsed.amount_minor
}

/** Counts and sums by currency and key, computed from the rows of the list one by one. */
function recompute(rows: readonly Json[], keys: (expense: Json) => unknown[]): Map<string, { count: number; amount_minor: number }> {
  const sums = new Map<string, { count: number; amount_minor: number }>()
  for (const row of rows)
    for (const key of keys(row)) {
      const counted = countedOf(row)
      const name = `${counted.currency} ${String(key)}`
      const { count, amount_minor } = sums.get(name) ?? { count: 0, amount_minor: 0 }
      sums.set(name, { count: count + 1, amount_minor: amount_minor + minorOf(counted) })
    }
  return sums
}

const groupsOf = (panels: Json[], sum: (group: Json) => Json = (group) => group) =>
  new Map(
    panels.flatMap(({ currency, groups }) =>
      groups.flatMap((group: Json) => {
        const { count, amount_minor } = sum(group) ?? { count: 0, amount_minor: 0 }
        return count === 0 ? [] : [[`${currency} ${String(group.key)}`, { count, amount_minor }]]
      }),
    ),
  )

test('every report adds up what the list of the same filter shows, for a manager and for a member', async () => {
  const dimensions = fc.constantFrom(...(Object.keys(keysOf) as ReportDimension[]))
  await fc.assert(
    fc.asyncProperty(dimensions, someFilters, fc.boolean(), async (group_by, q, isMember) => {
      const person = isMember ? instance.member : instance.manager
      const { status, body } = await report(person, `spending?group_by=${group_by}`, q)
      expect(status).toBe(200)
      const rows = await listAll(instance, person, q)
      expect(groupsOf(body.panels)).toEqual(recompute(rows, keysOf[group_by] ?? (() => [])))
      expect(body.panels.reduce((sum: number, { count }: Json) => sum + count, 0)).toBe(rows.length)
      if (body.previous === null || group_by === 'month') return
      const before = { ...q, occurred_at_gteq: body.previous.from, occurred_at_lt: body.previous.until }
      const earlier = await listAll(instance, person, before)
      expect(groupsOf(body.panels, ({ previous }) => previous)).toEqual(recompute(earlier, keysOf[group_by] ?? (() => [])))
    }),
    { numRuns: inForm(20, 60), seed: 5 },
  )
})

test('months of a year are compared with those of the year before, and gaps are shown', async () => {
  const q = { occurred_at_gteq: '2026-01-01', occurred_at_lt: '2027-01-01', counted_currency: 'BRL' }
  const { body } = await report(instance.manager, 'spending?group_by=month', q)
  expect(body.previous).toEqual({ from: '2025-01-01T00:00:00Z', until: '2026-01-01T00:00:00Z' })
  const [{ groups }] = body.panels
  const march = groups.find(({ key }: Json) => key === '2026-03')
  const rows = await listAll(instance, instance.manager, { ...q, occurred_at_gteq: '2025-03-01', occurred_at_lt: '2025-04-01' })
  expect(march.previous).toEqual(recompute(rows, () => ['']).get('BRL ') ?? { count: 0, amount_minor: 0 })
  expect(groups.map(({ key }: Json) => key)).toEqual(
    groups.map((_: Json, index: number) => groups[0].key.slice(0, 5) + String(Number(groups[0].key.slice(5)) + index).padStart(2, '0')),
  )
})

test('a tag by month adds up to the tag', async () => {
  const { body } = await report(instance.manager, 'spending?group_by=tag&by_month=1', {})
  for (const { groups } of body.panels)
    for (const { count, amount_minor, months } of groups) {
      expect(months.reduce((sum: number, month: Json) => sum + month.count, 0)).toBe(count)
      expect(months.reduce((sum: number, month: Json) => sum + month.amount_minor, 0)).toBe(amount_minor)
    }
})

test('of more months than the limit the newest are shown, and the older ones added up', async () => {
  const [all, cut] = await Promise.all(
    [100, 2].map(async (limit) => (await report(instance.manager, `spending?group_by=month&limit=${limit}`, { currency_eq: 'JPY' })).body),
  )
  const panelOf = (body: Json) => body.panels.find(({ currency }: Json) => currency === 'JPY')
  expect(panelOf(cut).groups).toEqual(panelOf(all).groups.slice(-2))
  expect(panelOf(cut).others.groups).toBe(panelOf(all).groups.length - 2)
})

test('groups beyond the limit are added up', async () => {
  const { body } = await report(instance.manager, 'spending?group_by=tag&limit=2', { currency_eq: 'USD' })
  const whole = (await report(instance.manager, 'spending?group_by=tag', { currency_eq: 'USD' })).body
  for (const [index, { groups, others }] of body.panels.entries()) {
    const all = whole.panels[index].groups
    expect(groups).toEqual(all.slice(0, 2))
    const rest = all.slice(2)
    expect(others).toEqual(
      rest.length === 0
        ? null
        : {
            groups: rest.length,
            count: rest.reduce((sum: number, { count }: Json) => sum + count, 0),
            amount_minor: rest.reduce((sum: number, { amount_minor }: Json) => sum + amount_minor, 0),
          },
    )
  }
})

test('a filter that matches nothing, an unknown one, and another grouping say so; a stranger sees nothing', async () => {
  const api = checked(instance.manager.api)
  expect((await api.get('/reports/spending?group_by=month&q[amount_gt]=99999999')).body.panels).toEqual([])
  expect((await api.get('/reports/spending?group_by=month&q[colour_eq]=red')).status).toBe(422)
  expect((await api.get('/reports/spending?group_by=colour')).status).toBe(422)
  expect((await api.get('/reports/spending?group_by=month&q[counted_currency]=ABC')).status).toBe(422)
  expect((await instance.stranger.api.get('/reports/spending?group_by=month')).body.panels).toEqual([])
})

test('a report is kept until something changes, and then is another', async () => {
  const path = '/reports/spending?group_by=month&q[supplier_name_eq]=Kept'
  expect((await instance.manager.api.get(path)).body.panels).toEqual([])
  await recordExpense(instance, instance.member, { supplier_name: 'Kept', amount: 3 })
  expect((await instance.manager.api.get(path)).body.panels).toMatchObject([{ count: 1, amount_minor: 300 }])
})

test('times are those of the trail: median and nine of ten', async () => {
  const { body } = await checked(instance.manager.api).get('/reports/times')
  const rows = await listAll(instance, instance.manager, { status_in: ['approved', 'liquidated'] })
  const settled = rows.filter(({ status }) => status === 'liquidated')
  const [approval, settlement, whole] = body.steps
  expect([approval.count, settlement.count, whole.count]).toEqual([rows.length, settled.length, settled.length])
  for (const { median_s, p90_s } of body.steps) expect(median_s).toBeLessThanOrEqual(p90_s)
  expect(body).toMatchObject({ previous: null, steps: [{ previous: null }, {}, {}] })
  const timesIn = async (from: string, until: string) =>
    (await instance.manager.api.get(`/reports/times?q[occurred_at_gteq]=${from}&q[occurred_at_lt]=${until}`)).body
  const compared = await timesIn('2026-03-01', '2026-05-01')
  expect(compared.previous).toEqual({ from: '2026-01-01T00:00:00Z', until: '2026-03-01T00:00:00Z' })
  const { steps: before } = await timesIn('2026-01-01', '2026-03-01')
  expect(compared.steps.map(({ previous }: Json) => previous.count)).toEqual(before.map(({ count }: Json) => count))
  expect(before[0].count).toBeGreaterThan(0)
  expect((await instance.stranger.api.get('/reports/times')).body.steps).toMatchObject([{ count: 0, median_s: null }, {}, {}])
})
