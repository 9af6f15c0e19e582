import { changedFields, rebase } from '../../../src-renderer/state/form-edit'
import { describe, expect, test } from 'vitest'
import type { Expense } from '#shared/contract/expenses'
import { findConflicts, readForm, toForm, type Writing } from '../../../src-renderer/features/expense/expense-form'

const party = { id: 7, uid: 'u7', name: 'Bruno Lima', type: 'User' as const }
const expense: Expense = {
  id: 1,
  uid: 'e1',
  version: 3,
  description: 'Lunch',
  kind: 'monetary',
  amount: 1234.5,
  currency: 'BRL',
  approved_amount: null,
  approved_amount_currency: null,
  status: 'pending',
  occurred_at: '2026-01-04T00:00:00Z',
  payer: { id: 1, uid: 'o1', name: 'Acme', type: 'Organization' },
  receiver: party,
  responsible_user: null,
  attachments: [],
  tags: 'Meals, Travel',
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
  created_at: '2026-01-04T10:00:00Z',
  updated_at: '2026-01-04T10:00:00Z',
  _links: [],
}
const en: Writing = { language: 'en', timezone: 'America/Sao_Paulo', today: '2026-01-10' }
const pt: Writing = { ...en, language: 'pt' }

describe('editing an expense', () => {
  test('an untouched form sends nothing, in either language', () => {
    for (const writing of [en, pt]) {
      const form = toForm(expense, writing)
      expect(readForm(form, form, writing)).toEqual({ kind: 'ok', changes: {} })
    }
  })

  test('only what changed is sent', () => {
    const form = toForm(expense, pt)
    expect(form.amount).toBe('1234,50')
    expect(readForm(form, { ...form, amount: '99,90', location: ' Brasília ' }, pt)).toEqual({
      kind: 'ok',
      changes: { amount: 99.9, location: 'Brasília' },
    })
  })

  test('a blank text is sent as none, tags as one text, the claimant as a reference', () => {
    const form = toForm(expense, en)
    expect(readForm(form, { ...form, description: '  ', tags: ['Meals', 'Fees, fines'], receiver: '9' }, en)).toEqual({
      kind: 'ok',
      changes: { description: null, tags: 'Meals, Fees, fines', receiver: { id: 9, type: 'User' } },
    })
  })

  test("a new currency reads the amount again, with that currency's decimals", () => {
    const form = toForm(expense, en)
    expect(readForm(form, { ...form, currency: 'JPY' }, en)).toEqual({ kind: 'invalid', errors: { amount: 'amount.too_precise' } })
    expect(readForm(form, { ...form, currency: 'JPY', amount: '1234' }, en)).toEqual({
      kind: 'ok',
      changes: { currency: 'JPY', amount: 1234 },
    })
  })

  test('invalid text is reported at its field', () => {
    const form = toForm(expense, en)
    expect(readForm(form, { ...form, amount: 'abc', occurred_at: '31/2', distance: 'far' }, en)).toEqual({
      kind: 'invalid',
      errors: { amount: 'amount.not_a_number', occurred_at: 'date.not_a_date', distance: 'distance.not_a_number' },
    })
  })

  test('a moment is edited as the day it was where one is', () => {
    expect(toForm({ ...expense, occurred_at: '2026-01-05T01:30:00Z' }, en).occurred_at).toBe('04/01/2026')
  })
})

describe('two people editing at once', () => {
  const before = toForm(expense, en)

  test('changes of different fields go together', () => {
    const forms = { before, mine: { ...before, location: 'Here' }, theirs: { ...before, amount: '10.00' } }
    expect(findConflicts(forms)).toEqual([])
    expect(rebase(forms)).toEqual({ ...before, location: 'Here', amount: '10.00' })
  })

  test('different changes of one field are a conflict, the same change is none', () => {
    const mine = { ...before, amount: '20.00', description: 'Dinner' }
    const theirs = { ...before, amount: '10.00', description: 'Dinner' }
    expect(findConflicts({ before, mine, theirs })).toEqual([{ field: 'amount', mine: '20.00', theirs: '10.00' }])
    expect(changedFields(theirs, rebase({ before, mine, theirs }))).toEqual(['amount'])
  })
})
