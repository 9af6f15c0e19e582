import { expect, test } from 'vitest'
import { parseDistance } from '#shared/domain/amount-text'
import {
  createDraft,
  type Draft,
  type DraftForm,
  isBlank,
  newUid,
  parseDraft,
  readForm,
  splitByFile,
  uidDaysAgo,
} from '../../../src-renderer/state/draft'

const defaults = { payer_id: 1, currency: 'BRL', tags: ['Travel'], distance_kind: 'km' } as const
const draftOf = (form: Partial<DraftForm>, names: readonly string[] = []): Draft => {
  const draft = createDraft('user', { ...defaults, tags: [...defaults.tags] })
  const files = names.map((name) => ({
    id: name,
    name,
    content_type: 'text/xml',
    bytes: 1,
    upload: null,
    uploads: 0,
    is_attached: false,
    capture_id: null,
    refusal: null,
  }))
  return { ...draft, form: { ...draft.form, ...form }, files }
}
const read = (form: Partial<DraftForm>) => readForm(draftOf(form).form, { language: 'pt', today: '2024-01-15' })

test('a form becomes the request of an expense', () => {
  expect(read({ amount: '1.234,50', date: 'ontem', description: ' Hotel ', location: ' ' })).toEqual({
    kind: 'ok',
    body: {
      payer: { id: 1, type: 'Organization' },
      kind: 'monetary',
      occurred_at: '2024-01-14',
      description: 'Hotel',
      tags: ['Travel'],
      location: null,
      supplier_name: null,
      supplier_tax_id: null,
      justification: null,
      liquidate_through_advancement: false,
      amount: 1234.5,
      currency: 'BRL',
    },
  })
})

test('another receiver is named, the user is not', () => {
  const reading = read({ amount: '1', date: '3', receiver_id: 7 })
  expect(reading.kind === 'ok' && reading.body.receiver).toEqual({ id: 7, type: 'User' })
})

test('a company card is named, except for a distance', () => {
  const cardOf = (form: Partial<DraftForm>) => {
    const reading = read({ amount: '1', date: '3', card_id: 5, ...form })
    return reading.kind === 'ok' && reading.body.corporative_card_id
  }
  expect([cardOf({}), cardOf({ card_id: null }), cardOf({ kind: 'distance', distance: '1' })]).toEqual([5, undefined, undefined])
})

test('a distance is sent without an amount', () => {
  const reading = read({ kind: 'distance', amount: 'x', date: '3', origin: 'A', destination: ' ', distance: '12,5 km' })
  expect(reading).toMatchObject({
    kind: 'ok',
    body: { kind: 'distance', distance: 12.5, distance_kind: 'km', origin: 'A', destination: null },
  })
  expect(reading.kind === 'ok' && 'amount' in reading.body).toBe(false)
})

test('everything that is wrong is named at once, by the names of the contract', () => {
  expect(read({ payer_id: null, amount: '1,2345', date: '30/2' })).toEqual({
    kind: 'invalid',
    problems: { amount: 'too_precise', occurred_at: 'not_a_date', payer: 'blank' },
  })
  expect(read({ kind: 'distance' })).toEqual({ kind: 'invalid', problems: { occurred_at: 'blank', distance: 'blank' } })
})

test.each([
  ['12', 12],
  ['12,5', 12.5],
  ['12.5', 12.5],
  ['1.200', 1200],
  ['0', undefined],
  ['-1', undefined],
  ['far', undefined],
])('a distance of %j is %s', (text, distance) => {
  expect(parseDistance(text, 'pt')).toBe(distance)
})

test('a draft with nothing typed and no receipt is blank', () => {
  expect(isBlank(draftOf({ tags: ['Meals'], currency: 'USD' }))).toBe(true)
  expect(isBlank(draftOf({ description: 'Taxi' }))).toBe(false)
  expect(isBlank(draftOf({}, ['a.xml']))).toBe(false)
})

test('a split loses no receipt and keeps what was typed with the first', () => {
  const parts = splitByFile(draftOf({ amount: '5', description: 'Taxi' }, ['a', 'b', 'c']))
  expect(parts.map(({ files }) => files.map(({ name }) => name))).toEqual([['a'], ['b'], ['c']])
  expect(parts.map(({ form }) => form.description)).toEqual(['Taxi', '', ''])
  expect(new Set(parts.map(({ id }) => id)).size).toBe(3)
  expect(parts.every(({ form }) => form.tags[0] === 'Travel' && form.payer_id === 1)).toBe(true)
})

test('a stored draft is read back as it was; a damaged one is none', () => {
  const draft = draftOf({ amount: '5' }, ['a'])
  expect(parseDraft(structuredClone(draft))).toEqual(draft)
  expect(parseDraft({ ...draft, form: null })).toBeUndefined()
})

test('identifiers sort by time', () => {
  expect(uidDaysAgo(1) < newUid()).toBe(true)
  expect(uidDaysAgo(-1) > newUid()).toBe(true)
})
