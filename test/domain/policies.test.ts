import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type JudgedExpense,
  type Policy,
  type PolicyVersion,
  blockingLevel,
  flagLevel,
  judge,
  policyConditions,
  policyWeights,
} from '#shared/domain/policies'

const instant = fc
  .integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-01-01') })
  .map((ms) => new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z'))
const currency = fc.constantFrom('BRL', 'USD', 'JPY')
const text = fc.option(fc.constantFrom('Taxi', 'Dinner'), { nil: null })
const tag = fc.integer({ min: 1, max: 4 })

const versions: fc.Arbitrary<PolicyVersion[]> = fc
  .array(
    fc.record({
      holds_from: fc.option(instant, { nil: null }),
      weight: fc.constantFrom(...policyWeights),
      condition: fc.constantFrom(...policyConditions),
      amount_minor: fc.option(fc.integer({ min: 1, max: 50_000 }), { nil: null }),
      currency: fc.option(currency, { nil: null }),
      days: fc.option(fc.integer({ min: 0, max: 400 }), { nil: null }),
      tag_id: fc.option(tag, { nil: null }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((all) => all.map((version, index) => ({ ...version, number: index + 1 })))
const policies: fc.Arbitrary<Policy[]> = fc
  .array(versions, { maxLength: 6 })
  .map((all) => all.map((said, index) => ({ id: index + 1, versions: said })))
const expenses: fc.Arbitrary<JudgedExpense> = fc.record({
  occurred_at: instant,
  created_at: instant,
  amount_minor: fc.integer({ min: 1, max: 100_000 }),
  currency,
  description: text,
  supplier_name: text,
  location: text,
  attachments_count: fc.integer({ min: 0, max: 2 }),
  tag_ids: fc.uniqueArray(tag, { maxLength: 3 }),
})

const usual: PolicyVersion = {
  ...{ number: 1, holds_from: null, weight: 'note', condition: 'amount_over', amount_minor: 8000, currency: 'BRL' },
  ...{ days: null, tag_id: null },
}
const dinner: JudgedExpense = {
  ...{ occurred_at: '2026-03-10T00:00:00Z', created_at: '2026-03-12T09:00:00Z', amount_minor: 21_200, currency: 'BRL' },
  ...{ description: 'Dinner', supplier_name: 'Cantina', location: 'Recife', attachments_count: 1, tag_ids: [1] },
}
const found = (version: Partial<PolicyVersion>, expense: Partial<JudgedExpense> = {}) =>
  judge([{ id: 1, versions: [{ ...usual, ...version }] }], { ...dinner, ...expense }).map(({ condition }) => condition)

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
    [{ condition: 'currency_other' }, {}, []],
    [{ condition: 'currency_other' }, { currency: 'USD' }, ['currency_other']],
    [{ tag_id: 2 }, {}, []],
    [{ tag_id: 1 }, {}, ['amount_over']],
    [{ holds_from: '2026-03-10T00:00:00Z' }, {}, ['amount_over']],
    [{ holds_from: '2026-03-11T00:00:00Z' }, {}, []],
  ] satisfies Array<[Partial<PolicyVersion>, Partial<JudgedExpense>, string[]]>)(
    '%o of %o finds %o',
    (version, expense, expected) => {
      expect(found(version, expense)).toEqual(expected)
    },
  )
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
