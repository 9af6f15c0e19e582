import { expect, test } from 'vitest'
import { toActivityLines } from '../../../src-renderer/features/conversation/activity-lines'

test('an amount is written with the currency it had then', () => {
  const details = [
    { attribute: 'amount', from: 10, to: 1200 },
    { attribute: 'currency', from: 'BRL', to: 'JPY' },
  ]
  expect(toActivityLines(details, 'JPY')).toEqual([
    { attribute: 'amount', from: { kind: 'money', amount: 10, currency: 'BRL' }, to: { kind: 'money', amount: 1200, currency: 'JPY' } },
  ])
})

test("an approval shows its status and its amount, in the expense's currency where none is named", () => {
  const details = [
    { attribute: 'status', from: 'analyzed', to: 'approved' },
    { attribute: 'approved_amount', from: null, to: 62.5 },
    { attribute: 'approved_amount_currency', from: null, to: 'USD' },
  ]
  expect(toActivityLines(details, 'USD')).toEqual([
    { attribute: 'status', from: { kind: 'status', status: 'analyzed' }, to: { kind: 'status', status: 'approved' } },
    { attribute: 'approved_amount', from: { kind: 'none' }, to: { kind: 'money', amount: 62.5, currency: 'USD' } },
  ])
  expect(toActivityLines([{ attribute: 'amount', from: 1, to: 2 }], 'BRL')[0]?.from).toEqual({ kind: 'money', amount: 1, currency: 'BRL' })
})

test('a currency that changes alone has a separate line', () => {
  expect(toActivityLines([{ attribute: 'currency', from: 'BRL', to: 'USD' }], 'USD')).toEqual([
    { attribute: 'currency', from: { kind: 'text', text: 'BRL' }, to: { kind: 'text', text: 'USD' } },
  ])
})

test('days, truth values, blanks and unknown statuses are what they are', () => {
  const lines = toActivityLines(
    [
      { attribute: 'occurred_at', from: '2026-01-04T00:00:00Z', to: '2026-01-05T18:30:00Z' },
      { attribute: 'liquidate_through_advancement', from: false, to: true },
      { attribute: 'location', from: '', to: 'Brasília' },
      { attribute: 'status', from: 'opened', to: 'pending' },
    ],
    'BRL',
  )
  expect(lines.map(({ from, to }) => [from.kind, to.kind])).toEqual([
    ['instant', 'instant'],
    ['flag', 'flag'],
    ['none', 'text'],
    ['text', 'status'],
  ])
})
