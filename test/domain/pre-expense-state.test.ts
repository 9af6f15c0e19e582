import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type PreExpenseMove,
  type PreExpenseState,
  decidePreExpenseMove,
  isPreExpenseComplete,
  preExpenseStateOf,
} from '#shared/domain/pre-expense-state'

const moves = fc.array(fc.constantFrom<PreExpenseMove>('ignore', 'restore', 'convert'), { maxLength: 20 })

test('is waiting, ignored or converted; conversion counts before all', () => {
  expect(preExpenseStateOf({ ignored_at: null, converted_at: null })).toBe('waiting_approval')
  expect(preExpenseStateOf({ ignored_at: 'then', converted_at: null })).toBe('ignored')
  expect(preExpenseStateOf({ ignored_at: null, converted_at: 'then' })).toBe('converted')
  expect(preExpenseStateOf({ ignored_at: 'then', converted_at: 'then' })).toBe('converted')
})

test('for any requests in any order, it converts at most once, never while ignored, and then stays converted', () => {
  fc.assert(
    fc.property(moves, (sequence) => {
      let state: PreExpenseState = 'waiting_approval'
      let conversions = 0
      for (const move of sequence) {
        const before: PreExpenseState = state
        const outcome = decidePreExpenseMove(before, move)
        if (outcome.kind === 'moved') state = outcome.state
        if (outcome.kind === 'moved' && move === 'convert') {
          conversions += 1
          expect(before).toBe('waiting_approval')
        }
        if (before === 'converted') expect(outcome).toEqual({ kind: 'not_possible', because: 'converted' })
        else if (move !== 'convert') expect(state).toBe(move === 'ignore' ? 'ignored' : 'waiting_approval')
        if (outcome.kind === 'unchanged') expect(decidePreExpenseMove(state, move)).toEqual(outcome)
      }
      expect(conversions).toBe(state === 'converted' ? 1 : 0)
    }),
  )
})

test('is complete once amount, currency and date are known', () => {
  const known = { amount: 1, currency: 'BRL', occurred_at: '2026-01-02T00:00:00Z' }
  expect(isPreExpenseComplete(known)).toBe(true)
  for (const attribute of ['amount', 'currency', 'occurred_at']) expect(isPreExpenseComplete({ ...known, [attribute]: null })).toBe(false)
})
