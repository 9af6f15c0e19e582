import fc from 'fast-check'
import type { Expense, ExpenseSummary } from '#shared/contract/expenses'
import { countedAmount } from '#shared/domain/counted-amount'
import { expenseStatuses } from '#shared/domain/expense-status'
import { addTotals } from '#renderer/ui/values/sums'

const instant = '2026-03-01T00:00:00Z'

/** An expense as the API answers it. */
export function sampleExpense(id: number, change: Partial<Expense> = {}): Expense {
  return {
    id,
    uid: `uid-${id}`,
    version: 1,
    description: `Taxi ${id}`,
    kind: 'monetary',
    amount: 100,
    currency: 'BRL',
    approved_amount: null,
    approved_amount_currency: null,
    status: 'awaiting_analysis',
    occurred_at: instant,
    payer: { id: 1, uid: 'o', name: 'Acme', type: 'Organization' },
    receiver: { id: 2, uid: 'r', name: 'Ana Lima', type: 'User' },
    responsible_user: null,
    attachments: [],
    tags: '',
    latitude: null,
    longitude: null,
    location: null,
    supplier_name: null,
    supplier_tax_id: null,
    justification: null,
    booked_on: null,
    paid_on: null,
    flags: [],
    flag_level: null,
    attachments_count: 0,
    comments_count: 0,
    activities_count: 1,
    liquidate_through_advancement: false,
    ignore_noncompliant: null,
    pre_expense_id: null,
    corporative_card_id: null,
    reimbursement_id: null,
    created_at: instant,
    updated_at: instant,
    _links: [],
    ...change,
  }
}

/** Any expense of any status, with an approved amount where the status has one. */
export const anyExpense: fc.Arbitrary<Expense> = fc
  .record({
    id: fc.integer({ min: 1, max: 1e6 }),
    status: fc.constantFrom(...expenseStatuses),
    cents: fc.integer({ min: 1, max: 1e7 }),
    share: fc.integer({ min: 1, max: 100 }),
    currency: fc.constantFrom('BRL', 'USD'),
    ignore_noncompliant: fc.constantFrom(null, true, false),
  })
  .map(({ id, status, cents, share, currency, ignore_noncompliant }) =>
    sampleExpense(id, {
      status,
      currency,
      ignore_noncompliant,
      amount: cents / 100,
      ...(status === 'approved' || status === 'liquidated'
        ? { approved_amount: Math.ceil((cents * share) / 100) / 100, approved_amount_currency: currency }
        : {}),
    }),
  )

/** The sums of expenses by status, as the API answers them. */
export function summaryOf(expenses: readonly Expense[]): ExpenseSummary {
  return {
    groups: expenseStatuses.flatMap((status) => {
      const own = expenses.filter((expense) => expense.status === status)
      const totals = addTotals(own.map(countedAmount)).map((total) => ({
        ...total,
        count: own.filter((expense) => countedAmount(expense).currency === total.currency).length,
      }))
      const claimed = addTotals(own).map((total) => ({ ...total, count: own.length }))
      return own.length === 0 ? [] : [{ key: status, label: status, count: own.length, totals, claimed }]
    }),
  }
}
