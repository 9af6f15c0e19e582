import { expect, test } from 'vitest'
import { type ReceiptLine, lineOf, valuesOf } from '#renderer/features/capture/reading/values'
import { createDraft, type Draft, type DraftForm, newUid } from '../../../src-renderer/state/draft'

const line: ReceiptLine = {
  ...{ id: 7, uid: 'line', version: 1, name: 'TAXI', corporative_card_id: 3, occurred_at: '2026-05-02T00:00:00Z', amount: 63.4 },
  ...{ currency: 'BRL', line_kind: 'charge', reason: null, external_id: 'A1', pre_expense_id: null, rate: null, created_at: '' },
  ...{
    updated_at: '',
    original_amount: null,
    original_currency: null,
    _links: [],
    user: { id: 1, uid: 'u', name: 'Mel', type: 'User', avatar: [] },
  },
}
const [first, second] = [newUid(), newUid()]
const fileOf = (id: string, capture_id: number): Draft['files'][number] => ({
  ...{ id, name: 'taxi.png', content_type: 'image/png', bytes: 1, upload: null, uploads: 0, is_attached: false, capture_id, refusal: null },
})
const sure = { probability: 1, fills: true, source: 'text' } as const
const readingOf = (capture_id: number, of: ReceiptLine | null) => ({
  ...{ file: null, capture_id, attachment_id: null, state: 'read' as const, line: of },
  fields: [
    { field: 'total' as const, value: '6340', currency: 'BRL', ...sure },
    { field: 'date' as const, value: '2026-05-02', ...sure },
  ],
})

const cases: ReadonlyArray<readonly [string, Partial<DraftForm>, Partial<Draft>, number | undefined]> = [
  ['as it was read', {}, {}, 7],
  ['with the card of the line', { card_id: 3 }, {}, 7],
  ['of two pictures', {}, { files: [fileOf(first, 1), fileOf(second, 2)] }, 7],
  ['with another amount', { amount: '60.00' }, {}, undefined],
  ['in another currency', { currency: 'EUR' }, {}, undefined],
  ['of another day', { date: '2026-05-03' }, {}, undefined],
  ['with another card', { card_id: 4 }, {}, undefined],
  ['of someone else', { receiver_id: 2 }, {}, undefined],
  ['of a distance', { kind: 'distance' }, {}, undefined],
  ['without the line, which was taken off', {}, { read: { statement_line_id: '' } }, undefined],
  ['without its receipt', {}, { files: [] }, undefined],
]
test.each(cases)('a draft %s has the line or none', (_, typed, part, expected) => {
  const draft = createDraft('user', { payer_id: 1, currency: 'BRL', tags: [], distance_kind: 'km' })
  const form = { ...draft.form, amount: '63.40', date: '2026-05-02', ...typed }
  const filled: Draft = { ...draft, files: [fileOf(first, 1)], ...part, form }
  const readings = new Map([
    [first, readingOf(1, line)],
    [second, readingOf(2, line)],
  ])
  const values = valuesOf(filled, readings, { language: 'en', today: '2026-05-10' })
  expect(lineOf(filled, readings, values)?.id).toBe(expected)
})

test('receipts of two lines have none', () => {
  const draft = createDraft('user', { payer_id: 1, currency: 'BRL', tags: [], distance_kind: 'km' })
  const form = { ...draft.form, amount: '63.40', date: '2026-05-02' }
  const both: Draft = { ...draft, form, files: [fileOf(first, 1), fileOf(second, 2)] }
  const readings = new Map([
    [first, readingOf(1, line)],
    [second, readingOf(2, { ...line, id: 8 })],
  ])
  expect(lineOf(both, readings, valuesOf(both, readings, { language: 'en', today: '2026-05-10' }))).toBeUndefined()
})
