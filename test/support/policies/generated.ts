import fc from 'fast-check'
import type { JudgedExpense, Policy, PolicyVersion } from '#shared/domain/policies'
import type { InvoiceFacts } from '#shared/domain/policies/invoices'
import { expenseKinds, policyConditions, policyPeriods, policyWeights } from '#shared/domain/policies/terms'

const instant = fc
  .integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-01-01') })
  .map((ms) => new Date(Math.floor(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z'))
const day = instant.map((text) => text.slice(0, 10))
const currency = fc.constantFrom('BRL', 'USD', 'JPY')
const text = fc.option(fc.constantFrom('Taxi', 'Dinner'), { nil: null })
const id = fc.integer({ min: 1, max: 4 })
const distance = fc.option(fc.constantFrom(0, 1.5, 12.75, 100, 3211), { nil: null })
const unit = fc.option(fc.constantFrom('km' as const, 'mi' as const), { nil: null })
const some = <T>(one: fc.Arbitrary<T>) => fc.uniqueArray(one, { maxLength: 3 })
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: null })

const taxId = fc.constantFrom('99888777000101', '99888777000282', '52998224725')
const invoice: fc.Arbitrary<InvoiceFacts> = fc.record({
  key: maybe(fc.constantFrom('a', 'b')),
  total_minor: maybe(fc.constantFrom(1, 4000, 8000, 10_000)),
  currency: fc.constantFrom('BRL', 'EUR'),
  issued_on: maybe(day),
  buyer_tax_id: maybe(taxId),
})

const versions: fc.Arbitrary<PolicyVersion[]> = fc
  .array(
    fc.record({
      holds_from: maybe(instant),
      weight: fc.constantFrom(...policyWeights),
      condition: fc.constantFrom(...policyConditions),
      amount_minor: maybe(fc.constantFrom(1, 999, 1000, 8000, 50_000)),
      currency: maybe(currency),
      days: maybe(fc.integer({ min: 0, max: 400 })),
      period: maybe(fc.constantFrom(...policyPeriods)),
      distance,
      distance_kind: unit,
      dates: some(day),
      tax_ids: some(taxId),
      tag_ids: some(id),
      claimant_ids: some(id),
      currencies: some(currency),
      kinds: some(fc.constantFrom(...expenseKinds)),
    }),
    { minLength: 1, maxLength: 4 },
  )
  // No policy is stored with an amount of no currency.
  .map((all) =>
    all.map(({ amount_minor, ...version }, index) => ({
      ...version,
      amount_minor: version.currency === null ? null : amount_minor,
      number: index + 1,
    })),
  )

/** Policies that say anything at all, in one to four versions each. */
export const anyPolicies: fc.Arbitrary<Policy[]> = fc
  .array(versions, { maxLength: 6 })
  .map((all) => all.map((said, index) => ({ id: index + 1, versions: said })))

/** Expenses near those policies. */
export const anyExpense: fc.Arbitrary<JudgedExpense> = fc.record({
  occurred_at: instant,
  created_at: instant,
  receiver_id: id,
  kind: fc.constantFrom(...expenseKinds),
  amount_minor: fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.constantFrom(8000, 10_000)),
  currency,
  approved_amount_currency: maybe(currency),
  distance,
  distance_kind: unit,
  description: text,
  supplier_name: text,
  location: text,
  justification: text,
  corporative_card_id: maybe(id),
  pre_expense_id: maybe(id),
  paid_on: maybe(fc.constant('2026-03-04T00:00:00Z')),
  attachments_count: fc.integer({ min: 0, max: 2 }),
  invoices: fc.array(invoice, { maxLength: 3 }),
  tag_ids: some(id),
  others: fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.nat(60_000))).map((sums) => new Map(sums)),
})

/** A policy version that finds an amount above 80 BRL. */
export const usualVersion: PolicyVersion = {
  ...{ number: 1, holds_from: null, weight: 'note', condition: 'amount_over', amount_minor: 8000, currency: 'BRL' },
  ...{ days: null, period: null, distance: null, distance_kind: null, dates: [], tax_ids: [] },
  ...{ tag_ids: [], claimant_ids: [], currencies: [], kinds: [] },
}

/** A dinner of a Tuesday, with all that policies can miss. */
export const usualExpense: JudgedExpense = {
  ...{ occurred_at: '2026-03-10T00:00:00Z', created_at: '2026-03-12T09:00:00Z', receiver_id: 1, kind: 'monetary' },
  ...{ amount_minor: 21_200, currency: 'BRL', approved_amount_currency: null, distance: null, distance_kind: null },
  ...{ description: 'Dinner', supplier_name: 'Cantina', location: 'Recife', justification: null },
  ...{
    corporative_card_id: null,
    pre_expense_id: null,
    paid_on: null,
    attachments_count: 1,
    invoices: [],
    tag_ids: [1],
    others: new Map(),
  },
}
