import { expect, test } from 'vitest'
import type { ReceiptReading } from '#shared/contract/instance/readings'
import { saidOf } from '../../src-renderer/features/expense/said'

const expense = { amount: 212, currency: 'BRL', occurred_at: '2026-03-04T15:00:00Z', supplier_tax_id: '11.222.333/0001-81' }
const readingOf = (attachment_id: number, total: string): ReceiptReading => ({
  ...{ file: null, capture_id: null, attachment_id, state: 'read', line: null },
  fields: [
    {
      field: 'total',
      value: total,
      currency: 'BRL',
      probability: 0.95,
      fills: true,
      source: 'pixels',
      place: { page: 0, x: 0.1, y: 0.2, width: 0.3, height: 0.1 },
    },
    { field: 'date', value: '2026-03-04', probability: 0.9, fills: true, source: 'pixels' },
    { field: 'supplier_tax_id', value: '11222333000181', probability: 0.995, fills: true, source: 'pixels' },
    { field: 'supplier_name', value: 'KALUNGA', probability: 0.3, fills: false, source: 'pixels' },
  ],
})
const attachments = [{ id: 7 }, { id: 8 }]

test('what a receipt says differs where neither it nor all of them say what is claimed', () => {
  const one = saidOf(expense, attachments, [readingOf(8, '11200')])
  expect(one.get('amount')).toMatchObject([{ index: 1, value: '11200', isOther: true, place: { page: 0 } }])
  expect(one.get('occurred_at')).toMatchObject([{ isOther: false }])
  expect(one.get('supplier_tax_id')).toMatchObject([{ isOther: false }])
  // Engines mistake letters: a name that is not likely is not shown.
  expect(one.get('supplier_name')).toEqual([])
  const both = saidOf(expense, attachments, [readingOf(7, '10000'), readingOf(8, '11200')])
  expect(both.get('amount')?.map(({ isOther }) => isOther)).toEqual([false, false])
  expect(saidOf(expense, attachments, []).get('amount')).toEqual([])
})
