import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policyVersionRepresentation } from '#shared/contract/organization-records/policies'
import { writeAmount, writeDistance } from '#shared/domain/amount-text'
import { languages } from '#shared/domain/locales'
import { fromMinor } from '#shared/domain/money'
import { type JudgedExpense, type Policy, judge } from '#shared/domain/policies'
import type { InvoiceFacts } from '#shared/domain/policies/invoices'
import type { Invoice } from '#shared/invoices/invoice'
import { canBeFoundBy } from '#shared/domain/policies/stored'
import { toVersion } from '#main/http/representations/policies'
import { versionsOf } from '#main/store/records/organizations/policy-reader'
import { inForm } from '#test/support/form'
import { anyExpense, anyPolicies } from '#test/support/policies/generated'
import { readWritten } from '../../src-renderer/records/expense/written-expense'
import { toPolicy } from '../../src-renderer/records/policies'

/** `AGREE=1000000 npx vitest run test/domain/policies-agree.test.ts` compares that many. */
const numRuns = Number(process.env.AGREE ?? inForm(500, 2000))

/** A policy as a server reads it from its row. */
const stored = ({ id, versions }: Policy): Policy => ({ id, versions: versionsOf({ versions: JSON.stringify(versions) }) })

/** A policy as a page reads it from an answer. */
const shown = ({ id, versions }: Policy): Policy => {
  const answer: unknown = JSON.parse(JSON.stringify(versions.map(toVersion)))
  return toPolicy({ id, versions: policyVersionRepresentation.array().parse(answer) })
}

const tags = [1, 2, 3, 4].map((id) => ({ id, name: `tag ${id}` }))
const textOf = (text: string | null) => text ?? ''

/** An electronic invoice as a form reads it. */
const read = ({ key, total_minor, currency, issued_on, buyer_tax_id }: InvoiceFacts): Invoice => ({
  ...{ kind: 'nfe', supplier: undefined, trade_name: undefined, tax_id: undefined, town: undefined, number: undefined },
  ...{ series: undefined, access_key: undefined, verification_code: undefined, doubts: [] },
  ...{ key: key ?? undefined, total_minor: total_minor ?? undefined, currency: currency ?? 'BRL' },
  ...{ issued_on: issued_on ?? undefined, buyer_tax_id: buyer_tax_id ?? undefined },
})

/** An expense as a person types it, and as the form reads that. */
function typed(expense: JudgedExpense, language: (typeof languages)[number]) {
  const { currency, distance, created_at, corporative_card_id, pre_expense_id, paid_on } = expense
  const written = {
    ...({ kind: expense.kind === 'distance' ? 'distance' : 'monetary', currency, distance_kind: expense.distance_kind } as const),
    amount: writeAmount(fromMinor(expense.amount_minor, currency), { currency, language }),
    distance: distance === null ? '' : writeDistance(distance, language),
    ...{ day: expense.occurred_at.slice(0, 10), description: textOf(expense.description), location: textOf(expense.location) },
    ...{ supplier_name: textOf(expense.supplier_name), justification: textOf(expense.justification) },
    tags: tags.filter(({ id }) => expense.tag_ids.includes(id)).map(({ name }) => name),
    ...{ receipts: expense.attachments_count, invoices: expense.invoices.map(read), receiver_id: expense.receiver_id },
    stored: { id: 1, created_at, corporative_card_id, pre_expense_id, paid_on },
  }
  return readWritten(written, { language, tags, today: '2026-06-01', now: '2026-06-01T00:00:00Z', user_id: 9 })
}

test('a form, a server and a replica that read the same policies and the same expense find the same', () => {
  fc.assert(
    fc.property(anyPolicies, anyExpense, fc.constantFrom(...languages), (policies, any, language) => {
      // Nobody types an hour, or what only an approval says.
      const expense = { ...any, occurred_at: `${any.occurred_at.slice(0, 10)}T00:00:00Z`, approved_amount_currency: null }
      const found = judge(policies, expense)
      expect(judge(policies.map(stored), expense)).toEqual(found)
      for (const flag of found) {
        const version = policies.find(({ id }) => id === flag.policy_id)?.versions.find(({ number }) => number === flag.version)
        expect(version && canBeFoundBy(flag, version)).toBe(true)
      }
      const read = typed(expense, language)
      expect(read && judge(policies.map(shown), { ...read, others: expense.others })).toEqual(found)
    }),
    { numRuns },
  )
})
