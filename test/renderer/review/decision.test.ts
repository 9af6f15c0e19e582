import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Expense } from '#shared/contract/expenses'
import { blockingLevel } from '#shared/domain/policies'
import { expenseStatuses, isUndecided, offeredStatuses } from '#shared/domain/expense-status'
import { actionsFor } from '../../../src-renderer/features/review/deciding/review-actions'
import { foreseen, stepsOf, targetOf, type Decision } from '#renderer/records/expense/deciding/decision'
import { addTotals } from '#renderer/ui/values/sums'
import { nextRowInNeed } from '../../../src-renderer/features/review/list/next-row'
import { ofQueue } from '../../../src-renderer/features/review/list/queue-sums'
import { type ExpenseStep, isAsSeen, stepsBack } from '../../../src-renderer/records/expense/expense-moves'
import { anyExpense, sampleExpense, summaryOf } from './samples'

const manager = { role: 'manager', is_receiver: false } as const
const acts: fc.Arbitrary<Decision> = fc.constantFrom<Decision>(
  { kind: 'approve' },
  { kind: 'reject', reason: 'no' },
  { kind: 'ask', reason: 'which?' },
  { kind: 'move', status: 'analyzing' },
  { kind: 'move', status: 'analyzed' },
  { kind: 'tolerate', reason: 'agreed' },
  { kind: 'mark_noncompliant' },
)

/** What a manager's PUT of these bodies does to an expense, by the rules of the domain; undefined when one is refused. */
function applied(expense: Expense, steps: readonly ExpenseStep[]): Expense | undefined {
  return steps.reduce<Expense | undefined>((now, step) => {
    const { body, if_match } = now ? step(now) : {}
    const status = expenseStatuses.find((known) => known === body?.status)
    if (!now || !status || if_match !== `"${now.uid}.${now.version}"` || !offeredStatuses(now, manager).includes(status)) return undefined
    const approved =
      status === 'approved'
        ? { approved_amount: Number(body?.approved_amount), approved_amount_currency: String(body?.approved_amount_currency) }
        : { approved_amount: null, approved_amount_currency: null }
    return {
      ...now,
      status,
      version: now.version + 1,
      ...approved,
      ignore_noncompliant:
        status === 'noncompliant' ? body?.ignore_noncompliant === true : isUndecided(status) ? null : now.ignore_noncompliant,
    }
  }, expense)
}

test('undoing an act is one write that names what the expense was and which version it undoes, whatever the act', () => {
  fc.assert(
    fc.property(anyExpense, acts, (before, act) => {
      const after = offeredStatuses(before, manager).includes(targetOf(act)) ? applied(before, stepsOf(act)) : undefined
      if (!after || isAsSeen(after, before) || after.status === 'liquidated') return
      const writes = stepsBack({ before, after })?.map((step) => step(after).body)
      expect(writes).toMatchObject([{ status: before.status, undo_of: after.version }])
    }),
  )
})

test('nothing leads back from liquidated', () => {
  const before = sampleExpense(1)
  expect(stepsBack({ before, after: { ...before, status: 'liquidated' } })).toBeUndefined()
})

test('the row shows what the server will respond', () => {
  fc.assert(
    fc.property(anyExpense, acts, (expense, act) => {
      const after = applied(expense, stepsOf(act))
      if (after) expect(isAsSeen(after, foreseen(act, expense))).toBe(true)
    }),
  )
})

test('approving a part says why in a separate comment, after the move', () => {
  const steps = stepsOf({ kind: 'approve_part', amount: 80, reason: 'Only the fare' })
  const operations = steps.map((step) => step(sampleExpense(7)))
  expect(operations).toEqual([
    {
      method: 'PUT',
      path: '/expenses/7/status',
      body: { status: 'approved', approved_amount: 80, approved_amount_currency: 'BRL' },
      if_match: '"uid-7.1"',
    },
    { method: 'POST', path: '/expenses/7/comments', body: { content: 'Only the fare' } },
  ])
})

test('sums are exact', () => {
  expect(
    addTotals([
      { amount: 0.1, currency: 'BRL' },
      { amount: 0.2, currency: 'BRL' },
      { amount: 5, currency: 'USD' },
      { amount: 5, currency: 'USD', sign: -1 },
    ]),
  ).toEqual([{ amount: 0.3, currency: 'BRL' }])
})

test('roles see the actions that they can do', () => {
  expect(actionsFor(manager).map(({ id }) => id)).toContain('approve')
  expect(actionsFor({ role: 'analyst', is_receiver: false }).map(({ id }) => id)).not.toContain('approve')
  expect(actionsFor({ role: 'member', is_receiver: false })).toEqual([])
})

test('the focus goes to the next row in need, else to the nearest above, else stays', () => {
  const rows = ['done', 'open', 'done', 'done', 'unknown', 'done'] as const
  const needOf = (index: number) => rows[index] ?? 'done'
  expect(nextRowInNeed(1, 6, needOf)).toBe(4)
  expect(nextRowInNeed(4, 6, needOf)).toBe(1)
  expect(nextRowInNeed(3, 6, () => 'done')).toBe(3)
  fc.assert(
    fc.property(fc.array(fc.constantFrom('open' as const, 'done' as const), { minLength: 1, maxLength: 50 }), fc.nat(49), (needs, at) => {
      const from = Math.min(at, needs.length - 1)
      const next = nextRowInNeed(from, needs.length, (index) => needs[index] ?? 'done')
      expect(next === from || needs[next] === 'open').toBe(true)
      if (needs.some((need, index) => index !== from && need === 'open')) expect(needs[next]).toBe('open')
    }),
  )
})

test('what is clean is what waits less what was found', () => {
  const found = [sampleExpense(1, { flag_level: 1 }), sampleExpense(2, { status: 'analyzing', flag_level: blockingLevel })]
  const others = [sampleExpense(3), sampleExpense(4), sampleExpense(5, { status: 'approved' }), sampleExpense(6, { status: 'analyzing' })]
  const summary = { all: summaryOf([...found, ...others]), flagged: summaryOf(found) }
  expect(ofQueue(summary, 'clean').groups).toEqual(summaryOf([others[0], others[1], others[3]].flatMap((one) => one ?? [])).groups)
})
