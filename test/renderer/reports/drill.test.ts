import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type ReportDimension, reportDimensions } from '#shared/domain/reports/reports'
import { getWithBody } from '#test/support/raw-http'
import type { Json } from '#test/support/instance'
import { instanceOfFile } from '#test/support/of-file'
import { recordExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import { countedOf, listAll, recordGenerated } from '#test/support/reports/generated'
import { listOfBar, listOfStatuses } from '../../../src-renderer/features/reports/drill'
import { lastMonthsOf } from '../../../src-renderer/features/reports/figures'
import { formatReport, parseReport } from '../../../src-renderer/features/reports/report-view'
import { toListFilter } from '../../../src-renderer/records/filters/review-view'

const today = new Date().toISOString().slice(0, 10)
const instance = await instanceOfFile()
beforeAll(async () => {
  const card = (await instance.manager.api.send('POST', '/corporative_cards', {
    ...{ organization_id: instance.organization_id, name: 'Blue', number: '4111111111111111', flag: 'visa' },
    ...{ expiration_month: 12, expiration_year: 2031, user_id: instance.manager.user_id },
  })) as Json
  for (const days of [0, 30, 31, 60, 61, 90, 91]) {
    const occurred_at = new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
    await recordExpense(instance, instance.manager, { occurred_at, ...(card.body?.id && { corporative_card_id: card.body.id }) })
  }
  const policy = { condition: 'amount_over', amount: 1000, currency: 'BRL', weight: 'note' }
  for (const name of ['Dear', 'Dearer'])
    await instance.admin.api.send('POST', `/organizations/${instance.organization_id}/policies`, { name, ...policy })
  await recordGenerated(instance, { count: 90, seed: 3 })
})

const term = fc.constantFrom(
  ...['occurred_at.from.2025-02-10', 'occurred_at.to.2026-01-20', 'occurred_at.is.2025-03-05', 'currency.is.BRL', 'currency.is.USD'],
  ...['status.is.approved', 'status.is.awaiting_analysis', 'status.is_not.rejected', 'tag.is.travel', 'tag.is.meals'],
  ...[
    'supplier_name.is.Uber',
    'supplier_name.is.',
    'supplier.is.503504564',
    'supplier.is.',
    'has_tag.is.1',
    'amount.above.50',
    'counted_currency.is.BRL',
    'flag_level.from.1',
  ],
  ...['occurred_at.from.2025-04-03T00:00:00Z', 'occurred_at.to.2025-09-15T12:00:00Z', 'card.is.', 'counted_currency.is.JPY'],
)

test('the list behind every bar has the expenses of the bar, and their sum', async () => {
  let opened = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...reportDimensions),
      fc.uniqueArray(term, { maxLength: 3 }),
      fc.constantFrom('all', 'all', 'approved', 'clean'),
      fc.boolean(),
      async (by: ReportDimension, terms, queue, byMonth) => {
        const address = new URLSearchParams([['queue', queue], ...terms.map((text) => ['f', text])])
        const { filters } = parseReport(address.toString())
        const q = toListFilter(filters, instance.organization_id)
        const path = `/reports/spending?group_by=${by}${byMonth ? '&by_month=1' : ''}`
        const { status, body } = await getWithBody(instance.url, instance.manager, { path, body: { q } })
        expect(status).toBe(200)
        const bars = body.panels.flatMap((panel: Json) =>
          panel.groups.flatMap((group: Json) => [
            { panel, key: group.key, sum: group, month: undefined },
            ...group.months.map((part: Json) => ({ panel, key: group.key, sum: part, month: part.month })),
          ]),
        )
        for (const { panel, key, sum, month } of bars.slice(0, 6)) {
          const currencies = body.panels.length > 1 ? panel.currencies : undefined
          const list = listOfBar(filters, { by, key, currencies, month }, today)
          if (!list) continue
          opened += 1
          const rows = await listAll(instance, instance.manager, toListFilter(list, instance.organization_id))
          const total = rows.reduce((all: number, row: Json) => all + countedOf(row).amount, 0)
          const bar = {
            by,
            key,
            month,
            terms,
            count: rows.length,
            currency: [...new Set(rows.map((row: Json) => countedOf(row).currency))],
          }
          expect(bar).toMatchObject({ count: sum.count, currency: sum.count === 0 ? [] : [panel.currency] })
          expect(total).toBeCloseTo(sum.amount_minor / (panel.currency === 'JPY' ? 1 : 100), 4)
        }
      },
    ),
    { numRuns: inForm(20, 60), seed: 11 },
  )
  expect(opened).toBeGreaterThan(70)
})

test('what waits for someone lists exactly the expenses of its sum, whatever else is filtered', async () => {
  const statuses = ['awaiting_analysis', 'analyzing', 'analyzed'] as const
  for (const address of ['queue=all', 'queue=all&f=status.is.awaiting_analysis&f=currency.is.BRL', 'queue=all&f=status.is_not.analyzing']) {
    const { filters } = parseReport(address)
    const q = toListFilter(filters, instance.organization_id)
    const { body } = await getWithBody(instance.url, instance.manager, { path: '/reports/spending?group_by=status', body: { q } })
    for (const panel of body.panels) {
      const named = statuses.filter((status) => panel.groups.some((group: Json) => group.key === status))
      const list = listOfStatuses(filters, named, body.panels.length > 1 ? panel.currencies : undefined)
      const rows = named.length > 0 && list ? await listAll(instance, instance.manager, toListFilter(list, instance.organization_id)) : []
      const groups = panel.groups.filter((group: Json) => statuses.includes(group.key))
      expect(rows).toHaveLength(groups.reduce((sum: number, group: Json) => sum + group.count, 0))
    }
  }
})

test('a chart of months begins with the first that counts, and leaves no later one out', () => {
  const months = (...amounts: readonly number[]) =>
    amounts.map((amount_minor, at) => ({
      id: String(at),
      label: '',
      count: 1,
      amount_minor,
      previous: null,
      href: undefined,
      months: new Map(),
    }))
  const shown = (rows: ReturnType<typeof months>, most?: number) => lastMonthsOf(rows, most).map(({ amount_minor }) => amount_minor)
  expect(shown(months(5, 0, 0, 9_000, 0, 8_000))).toEqual([9_000, 0, 8_000])
  expect(shown(months(900, 9_000, 1))).toEqual([900, 9_000, 1])
  expect(shown(months(1, 2, 3, 4), 2)).toEqual([3, 4])
  expect(shown(months(-9_000, 0, 9_000))).toEqual([-9_000, 0, 9_000])
  expect(shown(months(0, 0))).toEqual([0, 0])
  expect(shown(months())).toEqual([])
})

test('a bar that no filter can say opens nothing: another finding than those of the filter', () => {
  const { filters } = parseReport('queue=all&f=flag.is.amount_over')
  expect(listOfBar(filters, { by: 'flag', key: 'on_weekend' }, today)).toBeUndefined()
  expect(listOfBar(filters, { by: 'flag', key: 'amount_over' }, today)?.terms).toHaveLength(1)
})

test('the address of a report is read as it was written, and that of a saved view is an overview', () => {
  const view = parseReport('by=tag&months=1&convert=EUR&queue=flagged&f=amount.above.5&search=taxi')
  expect(parseReport(formatReport(view))).toEqual(view)
  expect(parseReport('queue=clean&f=tag.is.a')).toMatchObject({ by: 'overview', filters: { queue: 'clean' }, convertTo: undefined })
  expect(parseReport('by=colour&convert=XYZ')).toMatchObject({ by: 'overview', convertTo: undefined, filters: { queue: 'all' } })
})
