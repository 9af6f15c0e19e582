import { describe, expect, test } from 'vitest'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { planConversion } from '../../../src-renderer/features/pre-expenses/conversion-plan'
import { readConvertForm, toConvertForm } from '../../../src-renderer/features/pre-expenses/convert-form'
import { toInformationLines } from '../../../src-renderer/features/pre-expenses/information'

const ride: PreExpense = {
  id: 7,
  uid: 'u',
  version: 1,
  description: 'Ride',
  amount: 23.4,
  currency: 'BRL',
  status: 'completed',
  occurred_at: '2026-03-04T01:20:00Z',
  ignored_at: null,
  converted_at: null,
  receiver: { id: 1, uid: 'a', name: 'Ana', type: 'User' },
  tags: 'taxi, night',
  extra_information: {},
  external_id: null,
  expense_id: null,
  created_at: '2026-03-04T02:00:00Z',
  updated_at: '2026-03-04T02:00:00Z',
  deleted_at: null,
  _links: [],
}
const fallback = { payer_id: 9, currency: 'USD' }
const writing = { language: 'pt', timezone: 'America/Sao_Paulo', today: '2026-03-10' } as const
const payer = { id: 9, type: 'Organization' }

describe('the form of a conversion', () => {
  const before = toConvertForm(ride, fallback, writing)

  test('is filled with what is known, in the way and the timezone of the user', () => {
    expect(before).toMatchObject({ payer_id: 9, amount: '23,40', currency: 'BRL', date: '03/03/2026', tags: ['taxi', 'night'] })
    const unknown = toConvertForm({ ...ride, amount: null, currency: null, occurred_at: null, tags: '' }, fallback, writing)
    expect(unknown).toMatchObject({ amount: '', currency: 'USD', date: '', tags: [] })
  })

  test('sends nothing that the pre-expense knows better: its time, its tags as they were written', () => {
    expect(readConvertForm(before, before, writing)).toEqual({
      kind: 'ok',
      body: { payer, amount: 23.4, currency: 'BRL', liquidate_through_advancement: false },
    })
  })

  test('sends what was changed', () => {
    const form = { ...before, amount: '1.234,5', date: '5', description: ' ', tags: ['hotel'], isThroughAdvancement: true }
    expect(readConvertForm(before, form, writing)).toEqual({
      kind: 'ok',
      body: {
        payer,
        amount: 1234.5,
        currency: 'BRL',
        occurred_at: '2026-03-05',
        description: null,
        tags: ['hotel'],
        liquidate_through_advancement: true,
      },
    })
  })

  test('names what cannot be read', () => {
    const unknown = toConvertForm({ ...ride, amount: null, occurred_at: null }, { payer_id: null, currency: 'USD' }, writing)
    expect(readConvertForm(unknown, unknown, writing)).toEqual({
      kind: 'invalid',
      problems: { payer: 'blank', amount: 'blank', occurred_at: 'blank' },
    })
    expect(readConvertForm(before, { ...before, amount: '1,2345', date: '31/2' }, writing)).toEqual({
      kind: 'invalid',
      problems: { amount: 'too_precise', occurred_at: 'not_a_date' },
    })
  })
})

test('many at once: those that are complete are converted as they are, sums kept apart by currency', () => {
  const plan = planConversion(
    [ride, { ...ride, id: 8, amount: 0.1 }, { ...ride, id: 9, currency: 'JPY', amount: 500 }, { ...ride, status: 'in_progress' }],
    9,
  )
  expect(plan.incomplete).toBe(1)
  expect(plan.totals).toMatchObject([
    { currency: 'BRL', amount: 23.5 },
    { currency: 'JPY', amount: 500 },
  ])
  expect(plan.targets[1]).toEqual({ id: 8, body: { payer, amount: 0.1, currency: 'BRL' } })
})

test('an integration’s information is shown line by line, named by its path', () => {
  const lines = toInformationLines({ from: { name: 'Airport', at: null }, stops: ['a', { km: 2 }], paid: false, note: '' })
  expect(lines).toEqual([
    { name: 'from.name', value: 'Airport' },
    { name: 'stops.0', value: 'a' },
    { name: 'stops.1.km', value: '2' },
    { name: 'paid', value: 'false' },
  ])
  expect(toInformationLines({ many: Array.from({ length: 1000 }, (_, index) => index) })).toHaveLength(100)
})
