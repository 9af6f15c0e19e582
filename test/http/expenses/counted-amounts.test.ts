import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addTotals } from '#renderer/ui/values/sums'
import { queueSums } from '../../../src-renderer/features/review/list/queue-sums'
import { sumApproved } from '../../../src-renderer/features/reimbursements/payment-sum'
import type { Expense } from '#shared/contract/expenses'
import { countedAmount } from '#shared/domain/counted-amount'
import { fromMinor } from '#shared/domain/money'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { runProgram } from '#test/support/built-program'

const currencies = ['BRL', 'USD', 'JPY', 'KWD'] as const

const drawn = fc.record({
  amount_minor: fc.integer({ min: 2, max: 9_999_999 }),
  currency: fc.constantFrom(...currencies),
  who: fc.constantFrom('member', 'analyst'),
  tag: fc.constantFrom('Travel', 'Meals'),
  // What part is approved, in another currency now and then; null where nothing is.
  approved: fc.option(fc.record({ part: fc.constantFrom(0.5, 1), currency: fc.option(fc.constantFrom(...currencies)) })),
})

type Drawn = typeof drawn extends fc.Arbitrary<infer Value> ? Value : never

async function recordAll(instance: Instance, mix: ReadonlyArray<Drawn>): Promise<void> {
  for (const { amount_minor, currency, who, tag, approved } of mix) {
    const attributes = { amount: fromMinor(amount_minor, currency), currency, tags: tag }
    const { id } = await recordExpense(instance, instance[who], attributes)
    if (approved === null) continue
    const approved_amount_currency = approved.currency ?? currency
    const approved_amount = fromMinor(Math.ceil(amount_minor * approved.part), approved_amount_currency)
    const isWithin = approved_amount_currency !== currency || approved_amount <= fromMinor(amount_minor, currency)
    if (isWithin) await moveExpense(instance.manager, id, { status: 'approved', approved_amount, approved_amount_currency })
  }
}

const plain = (totals: ReadonlyArray<{ amount: number; currency: string }>) =>
  addTotals(totals.map(({ amount, currency }) => ({ amount, currency })))

test('rows, queues, groups, payments and exports agree on every amount to its last decimal', async () => {
  const instance = await startInstance()
  try {
    for (const mix of fc.sample(fc.array(drawn, { minLength: 6, maxLength: 12 }), 4)) await recordAll(instance, mix)
    const expenses: Expense[] = (await instance.manager.api.get('/expenses?per_page=100')).body.expenses
    const summaryBy = async (group: string) => (await instance.manager.api.get(`/expenses/summary?group_by=${group}&amounts=counted`)).body
    const byStatus = { all: await summaryBy('status'), flagged: { groups: [] } }
    for (const queue of ['awaiting_analysis', 'approved', 'all'] as const) {
      const rows = expenses.filter(({ status }) => queue === 'all' || status === queue)
      const sums = queueSums(byStatus, queue)
      expect(sums).toEqual({ count: rows.length, totals: addTotals(rows.map(countedAmount)), claimed: addTotals(rows) })
    }
    for (const group of ['receiver', 'tag']) {
      const { groups } = await summaryBy(group)
      for (const { key, count, totals, claimed } of groups) {
        const rows = expenses.filter(({ receiver, tags }) => (group === 'tag' ? tags === key : receiver.id === key))
        expect(count).toBe(rows.length)
        expect(plain(totals)).toEqual(addTotals(rows.map(countedAmount)))
        expect(plain(claimed)).toEqual(addTotals(rows))
      }
    }
    const approved = expenses.filter(({ status }) => status === 'approved')
    expect(plain(sumApproved(approved))).toEqual(queueSums(byStatus, 'approved').totals)
    const { code, stdout } = await runProgram('export', 'expenses', '--format', 'json', '--data', instance.folder)
    expect(code).toBe(0)
    const exported: Expense[] = JSON.parse(stdout)
    expect(addTotals(exported.map(countedAmount))).toEqual(queueSums(byStatus, 'all').totals)
  } finally {
    await instance.remove()
  }
})
