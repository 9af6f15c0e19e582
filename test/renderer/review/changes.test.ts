import { expect, test } from 'vitest'
import type { FlagRepresentation } from '#shared/contract/organization-records/policies'
import { changesOf, isMet } from '#renderer/records/expense/deciding/changes'
import { sampleExpense } from './samples'

const finding: FlagRepresentation = {
  ...{ policy_id: 1, policy: 'Meals', number: 1, condition: 'amount_over', weight: 'note', value: 100, limit: 80 },
  ...{ currency: 'BRL', unit: null, period: null, is_checked: true, is_explained: false },
}

test('a finding that came meanwhile is said to be what changed, and does not keep the same decision of two people from being one', () => {
  const seen = sampleExpense(1)
  expect(changesOf(seen, sampleExpense(1, { version: 2, flags: [finding] }))).toEqual(['flags'])
  expect(changesOf(seen, sampleExpense(1, { version: 2 }))).toEqual(['other'])
  const approved = sampleExpense(1, {
    version: 3,
    status: 'approved',
    approved_amount: 100,
    approved_amount_currency: 'BRL',
    flags: [finding],
  })
  expect(isMet({ kind: 'approve' }, seen, approved)).toBe(true)
  expect(isMet({ kind: 'approve' }, seen, { ...approved, amount: 90 })).toBe(false)
})
