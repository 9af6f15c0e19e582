import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyExpense as expenses,
  anyPolicies as policies,
  usualExpense as dinner,
  usualVersion as usual,
} from '#test/support/policies/generated'
import { type JudgedExpense, type PolicyVersion, blockingLevel, flagLevel, judge, levelOfWeight } from '#shared/domain/policies'
import { fromMetres, spanOf, toMetres } from '#shared/domain/policies/sums'
import { findContradiction, policyPeriods } from '#shared/domain/policies/terms'

const found = (version: Partial<PolicyVersion>, expense: Partial<JudgedExpense> = {}) =>
  judge([{ id: 1, versions: [{ ...usual, ...version }] }], { ...dinner, ...expense }).map(({ condition }) => condition)

const invoice = { key: 'one', total_minor: null, currency: 'BRL', issued_on: null, buyer_tax_id: null }
const whole = { ...invoice, total_minor: 21_200 }
const bought = { ...invoice, buyer_tax_id: '52998224725' }

describe('what each condition looks for', () => {
  test.each([
    [{}, { amount_minor: 8000 }, []],
    [{}, { amount_minor: 8001 }, ['amount_over']],
    [{ condition: 'receipt_missing', amount_minor: null, currency: null }, { attachments_count: 0 }, ['receipt_missing']],
    [{ condition: 'receipt_missing' }, { attachments_count: 0, amount_minor: 8000 }, []],
    [{ condition: 'receipt_missing' }, { attachments_count: 0 }, ['receipt_missing']],
    [{ condition: 'receipt_missing' }, {}, []],
    [{ condition: 'tag_missing' }, { tag_ids: [] }, ['tag_missing']],
    [{ condition: 'description_missing' }, { description: null }, ['description_missing']],
    [{ condition: 'supplier_missing' }, { supplier_name: null }, ['supplier_missing']],
    [{ condition: 'location_missing' }, { location: null }, ['location_missing']],
    [{ condition: 'older_than', days: 2 }, {}, []],
    [{ condition: 'older_than', days: 1 }, {}, ['older_than']],
    [{ condition: 'in_future' }, {}, []],
    [{ condition: 'in_future' }, { occurred_at: '2026-03-13T00:00:00Z' }, ['in_future']],
    [{ condition: 'currency_other', currencies: ['BRL', 'USD'] }, { currency: 'USD' }, []],
    [{ condition: 'currency_other', currencies: ['BRL', 'USD'] }, { currency: 'JPY' }, ['currency_other']],
    [{ tag_ids: [2, 3] }, {}, []],
    [{ tag_ids: [2, 1] }, {}, ['amount_over']],
    [{ claimant_ids: [2] }, {}, []],
    [{ claimant_ids: [1] }, {}, ['amount_over']],
    [{ kinds: ['distance'] }, {}, []],
    [{ currencies: ['USD'] }, {}, []],
    [{ condition: 'sum_over', period: 'day' }, { amount_minor: 8000, others: new Map([[1, 0]]) }, []],
    [{ condition: 'sum_over', period: 'day' }, { amount_minor: 8000, others: new Map([[1, 1]]) }, ['sum_over']],
    // Nobody knows the others: nothing is said.
    [{ condition: 'sum_over', period: 'day' }, {}, []],
    [{ condition: 'round_amount', amount_minor: 9999 }, { amount_minor: 10_000 }, ['round_amount']],
    [{ condition: 'round_amount', amount_minor: 9999 }, { amount_minor: 10_100 }, []],
    [{ condition: 'round_amount', amount_minor: 10_000 }, { amount_minor: 10_000 }, []],
    [{ condition: 'tag_other', tag_ids: [2, 3] }, {}, ['tag_other']],
    [{ condition: 'tag_other', tag_ids: [1, 3] }, {}, []],
    [{ condition: 'tag_not_allowed', tag_ids: [1], claimant_ids: [2] }, {}, ['tag_not_allowed']],
    [{ condition: 'tag_not_allowed', tag_ids: [1], claimant_ids: [1, 2] }, {}, []],
    [{ condition: 'tag_not_allowed', tag_ids: [2], claimant_ids: [2] }, {}, []],
    [{ condition: 'on_weekend' }, {}, []],
    [{ condition: 'on_weekend' }, { occurred_at: '2026-03-14T23:59:59Z' }, ['on_weekend']],
    [{ condition: 'on_weekend' }, { occurred_at: '2026-03-16T00:00:00Z' }, []],
    [{ condition: 'on_holiday', dates: ['2026-03-10'] }, {}, ['on_holiday']],
    [{ condition: 'on_holiday', dates: ['2026-03-11'] }, {}, []],
    [{ condition: 'distance_over', distance: 100, distance_kind: 'km' }, { distance: 62, distance_kind: 'mi' }, []],
    [{ condition: 'distance_over', distance: 100, distance_kind: 'km' }, { distance: 63, distance_kind: 'mi' }, ['distance_over']],
    [
      { condition: 'distance_sum_over', distance: 100, distance_kind: 'km', period: 'day' },
      { distance: 60, distance_kind: 'km', others: new Map([[1, 40_001]]) },
      ['distance_sum_over'],
    ],
    [{ condition: 'card_unmatched' }, { corporative_card_id: 3 }, ['card_unmatched']],
    [{ condition: 'card_unmatched' }, { corporative_card_id: 3, pre_expense_id: 4 }, []],
    [{ condition: 'approved_in_other_currency' }, { approved_amount_currency: 'BRL' }, []],
    [{ condition: 'approved_in_other_currency' }, { approved_amount_currency: 'USD' }, ['approved_in_other_currency']],
    [{ condition: 'invoice_total' }, {}, []],
    [{ condition: 'invoice_total' }, { invoices: [{ ...invoice, total_minor: 21_200 }] }, []],
    [{ condition: 'invoice_total' }, { invoices: [{ ...invoice, total_minor: 21_201 }] }, ['invoice_total']],
    [{ condition: 'invoice_total' }, { invoices: [invoice, { ...invoice, key: 'other', total_minor: 21_200 }] }, []],
    // The same invoice twice counts once.
    [{ condition: 'invoice_total' }, { invoices: [whole, whole] }, []],
    [{ condition: 'invoice_total' }, { invoices: [whole, { ...whole, key: null, total_minor: 1 }] }, ['invoice_total']],
    [{ condition: 'invoice_date' }, { invoices: [{ ...invoice, issued_on: '2026-03-10' }] }, []],
    [{ condition: 'invoice_date' }, { invoices: [{ ...invoice, issued_on: '2026-03-09' }] }, ['invoice_date']],
    [{ condition: 'invoice_date', days: 1 }, { invoices: [{ ...invoice, issued_on: '2026-03-09' }] }, []],
    [{ condition: 'invoice_buyer', tax_ids: ['52998224725'] }, { invoices: [invoice] }, []],
    [{ condition: 'invoice_buyer', tax_ids: ['529.982.247-25'] }, { invoices: [bought] }, []],
    [{ condition: 'invoice_buyer', tax_ids: ['11222333000181'] }, { invoices: [bought] }, ['invoice_buyer']],
    [{ holds_from: '2026-03-10T00:00:00Z' }, {}, ['amount_over']],
    [{ holds_from: '2026-03-11T00:00:00Z' }, {}, []],
  ] satisfies Array<[Partial<PolicyVersion>, Partial<JudgedExpense>, string[]]>)('%o of %o finds %o', (version, expense, expected) => {
    expect(found(version, expense)).toEqual(expected)
  })
})

describe('for all policies and expenses', () => {
  test('only the version of its day judges an expense, once a policy, and the weightiest come first', () => {
    fc.assert(
      fc.property(policies, expenses, (all, expense) => {
        const flags = judge(all, expense)
        expect(new Set(flags.map(({ policy_id }) => policy_id)).size).toBe(flags.length)
        for (const { policy_id, version } of flags) {
          const said = all.find(({ id }) => id === policy_id)?.versions ?? []
          const holding = said.filter(({ holds_from }) => holds_from === null || holds_from <= expense.occurred_at)
          expect(holding.at(-1)?.number).toBe(version)
        }
        const levels = flags.map((flag) => flagLevel([flag]) ?? 0)
        expect(levels).toEqual(levels.toSorted((a, b) => b - a))
        expect(flagLevel(flags)).toBe(levels[0] === 0 ? null : (levels[0] ?? null))
      }),
    )
  })

  test('each policy is judged apart: more of them never take away what another found', () => {
    fc.assert(
      fc.property(policies, expenses, (all, expense) => {
        const apart = all.flatMap((policy) => judge([policy], expense))
        expect(judge(all, expense).toSorted((a, b) => (a.policy_id ?? 0) - (b.policy_id ?? 0))).toEqual(apart)
      }),
    )
  })

  test('an amount in another currency than the limit is never compared, and never blocks', () => {
    fc.assert(
      fc.property(policies, expenses, (all, expense) => {
        for (const flag of judge(all, expense)) {
          if (flag.is_checked && flag.currency !== null) expect(flag.currency).toBe(expense.currency)
          if (!flag.is_checked) expect({ value: flag.value, level: flagLevel([flag]) }).toEqual({ value: null, level: null })
        }
      }),
    )
  })

  test('raising a limit never finds more', () => {
    fc.assert(
      fc.property(expenses, fc.integer({ min: 1, max: 50_000 }), fc.nat(50_000), (expense, amount_minor, more) => {
        const at = (limit: number) => judge([{ id: 1, versions: [{ ...usual, weight: 'block', amount_minor: limit }] }], expense)
        const [low, high] = [at(amount_minor), at(amount_minor + more)].map((flags) => flagLevel(flags) ?? 0)
        expect(high).toBeLessThanOrEqual(low ?? 0)
        expect([0, blockingLevel]).toContain(high)
      }),
    )
  })
})

test('what the claimant has explained weighs as a note, and nothing else does', () => {
  const level = (weight: PolicyVersion['weight'], justification: string | null) =>
    flagLevel(judge([{ id: 1, versions: [{ ...usual, weight }] }], { ...dinner, justification }))
  expect([level('reason', null), level('reason', 'The client came')]).toEqual([levelOfWeight('reason'), levelOfWeight('note')])
  expect([level('block', null), level('block', 'The client came')]).toEqual([blockingLevel, blockingLevel])
})

describe('the time over which is added up', () => {
  test.each([
    ['day', '2026-03-10T23:59:59Z', '2026-03-10T00:00:00Z', '2026-03-11T00:00:00Z'],
    ['week', '2026-03-15T12:00:00Z', '2026-03-09T00:00:00Z', '2026-03-16T00:00:00Z'],
    ['week', '2026-03-09T00:00:00Z', '2026-03-09T00:00:00Z', '2026-03-16T00:00:00Z'],
    ['month', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00Z', '2028-03-01T00:00:00Z'],
    ['month', '2026-12-31T23:59:59Z', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  ] as const)('the %s of %s is from %s to %s', (period, instant, from, to) => {
    expect(spanOf(period, instant)).toEqual({ from, to })
  })

  test('every instant is in one span of a period: that of each other instant in it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...policyPeriods), expenses, (period, { occurred_at }) => {
        const span = spanOf(period, occurred_at)
        expect(span.from <= occurred_at && occurred_at < span.to).toBe(true)
        expect(spanOf(period, span.from)).toEqual(span)
        expect(spanOf(period, span.to).from).toBe(span.to)
      }),
    )
  })
})

test('a length in metres is the distance it came from', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.constantFrom('km' as const, 'mi' as const), (tenths, unit) => {
      expect(fromMetres(toMetres(tenths / 10, unit), unit)).toBeCloseTo(tenths / 10, 2)
    }),
  )
})

test.each([
  [{ condition: 'tag_missing', tag_ids: [1] }, 'tag_ids'],
  [{ condition: 'amount_over', currency: 'BRL', currencies: ['USD'] }, 'currencies'],
  [{ condition: 'amount_over', currency: 'BRL', currencies: ['USD', 'BRL'] }, undefined],
  [{ condition: 'distance_over', kinds: ['monetary'] }, 'kinds'],
  [{ condition: 'tag_other', tag_ids: [1] }, undefined],
] as const)('%o contradicts itself by its %s', (said, scope) => {
  const plain = { currency: null, tag_ids: [], currencies: [], kinds: [] }
  expect(findContradiction({ ...plain, ...said })).toBe(scope)
})
