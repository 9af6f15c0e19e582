import { expect, test } from 'vitest'
import type { ReplicaOperation } from '#shared/contract/instance/replica'
import { formatAge } from '../../../src-renderer/features/sync/age'
import { actsFor, actsForAll, responseOf, decidable, returnOf } from '../../../src-renderer/features/sync/answer'
import { toDifferenceLines } from '../../../src-renderer/features/sync/difference-lines'
import { exportName, exportText } from '../../../src-renderer/features/sync/export-operation'
import { sampleOperation } from './operations'

type ApiResponse = NonNullable<ReplicaOperation['answer']>
const answer = (changes: Partial<ApiResponse> = {}): ApiResponse => ({
  status: 412,
  message: 'stale',
  differences: [],
  by: null,
  at: null,
  ...changes,
})

test('a returned operation is a disagreement, is based on outdated data, or is no longer possible', () => {
  expect(returnOf({ answer: answer({ status: 409, message: 'disagreement' }) })).toBe('disagreement')
  expect(returnOf({ answer: answer() })).toBe('stale')
  expect(returnOf({ answer: answer({ status: 422, message: 'status is not included in the list' }) })).toBe('refusedHere')
})

test('the state of an operation decides what can be done', () => {
  const of = (state: ReplicaOperation['state'], message = 'stale') => actsFor(sampleOperation({ state, answer: answer({ message }) }))
  expect(of('conflict')).toEqual(['again', 'discard'])
  expect(of('conflict', 'disagreement')).toEqual(['mine', 'theirs'])
  expect(of('rejected')).toEqual(['again', 'export', 'discard'])
  expect(of('parked')).toEqual(['again', 'export', 'discard'])
  expect(actsFor(sampleOperation({ state: 'rejected', answer: answer({ status: 410 }) }))).toEqual(['export', 'discard'])
  expect(actsFor(sampleOperation({ state: 'rejected', answer: answer({ status: 403 }) }))).toEqual(['export', 'again', 'discard'])
  expect(of('quarantined')).toEqual(['export', 'discard'])
  expect(of('pending')).toEqual([])
})

test('the last response is shown in our words where it has a name, else in its own', () => {
  expect(responseOf({ answer: null, attempts: 0 })).toEqual({ key: 'none' })
  expect(responseOf({ answer: null, attempts: 2 })).toEqual({ key: 'noWord' })
  expect(responseOf({ answer: answer({ message: 'depends' }), attempts: 1 })).toEqual({ key: 'depends' })
  expect(responseOf({ answer: answer({ message: null, status: 503 }), attempts: 1 })).toEqual({ key: 'status' })
  expect(responseOf({ answer: answer({ message: '410', status: 410 }), attempts: 0 })).toEqual({ key: 'gone' })
  expect(responseOf({ answer: answer({ message: 'Amount is too large' }), attempts: 1 })).toEqual({ text: 'Amount is too large' })
})

test('an amount and its currency are one difference, and an unchanged field is none', () => {
  const differences = [
    { attribute: 'amount', base: 50.5, mine: 99, theirs: 50 },
    { attribute: 'currency', base: 'BRL', mine: 'BRL', theirs: 'BRL' },
    { attribute: 'kind', base: 'monetary', mine: 'monetary', theirs: 'monetary' },
  ]
  expect(toDifferenceLines(differences, {})).toEqual([
    {
      attribute: 'amount',
      base: { kind: 'money', amount: 50.5, currency: 'BRL' },
      mine: { kind: 'money', amount: 99, currency: 'BRL' },
      theirs: { kind: 'money', amount: 50, currency: 'BRL' },
    },
  ])
  const [line] = toDifferenceLines(
    [
      { attribute: 'amount', base: 5, mine: null, theirs: 5 },
      { attribute: 'currency', base: 'BRL', mine: null, theirs: 'USD' },
    ],
    {},
  )
  expect(line).toMatchObject({ base: { currency: 'BRL' }, theirs: { currency: 'USD' } })
})

test('an amount that changed alone has the currency that was seen', () => {
  const [line] = toDifferenceLines([{ attribute: 'amount', base: 5, mine: null, theirs: 6 }], { currency: 'USD' })
  expect(line).toMatchObject({ base: { kind: 'money', amount: 5, currency: 'USD' }, mine: { kind: 'none' } })
})

test('statuses, days, people and lists are what they are', () => {
  const lines = toDifferenceLines(
    [
      { attribute: 'status', base: 'pending', mine: null, theirs: 'approved' },
      { attribute: 'occurred_at', base: '2026-01-04T00:00:00Z', mine: null, theirs: null },
      { attribute: 'receiver', base: { id: 1, name: 'Ana' }, mine: null, theirs: { id: 2, name: 'Bruno' } },
      { attribute: 'restricted_users', base: [{ name: 'Ana' }], mine: null, theirs: [{ name: 'Ana' }, { name: 'Bruno' }] },
      { attribute: 'latitude', base: 1, mine: null, theirs: 2 },
    ],
    {},
  )
  expect(lines.map(({ base, theirs }) => [base, theirs])).toEqual([
    [
      { kind: 'status', status: 'pending' },
      { kind: 'status', status: 'approved' },
    ],
    [{ kind: 'instant', instant: '2026-01-04T00:00:00Z' }, { kind: 'none' }],
    [
      { kind: 'text', text: 'Ana' },
      { kind: 'text', text: 'Bruno' },
    ],
    [
      { kind: 'text', text: 'Ana' },
      { kind: 'text', text: 'Ana, Bruno' },
    ],
  ])
})

test('an age is shown in its largest whole unit, in every language', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(formatAge('2026-11-21T11:59:30Z', { language: 'en', now })).toBeUndefined()
  expect(formatAge('2026-11-21T11:55:00Z', { language: 'pt', now })).toBe('5 min')
  expect(formatAge('2026-11-18T11:00:00Z', { language: 'en', now })).toBe('3 days')
  expect(formatAge('2026-11-18T11:00:00Z', { language: 'pt', now })).toBe('3 dias')
})

test('an export holds all that is known of an operation', () => {
  const operation = sampleOperation()
  expect(exportName(operation)).toBe('outlay-2026-11-21-34c5c356.json')
  expect(JSON.parse(exportText(operation))).toEqual(operation)
})

test('of several at once only that is done which needs no look at each: no approval is made again unseen', () => {
  const approval = sampleOperation({ state: 'conflict', answer: answer() })
  const edit = sampleOperation({ state: 'conflict', is_conditional: false, answer: answer({ message: 'disagreement' }) })
  const comment = sampleOperation({ state: 'parked', is_conditional: false, answer: answer() })
  expect(actsForAll([approval])).toEqual(['again', 'discard'])
  expect(actsForAll([approval, approval])).toEqual(['discard'])
  expect(actsForAll([approval, edit])).toEqual(['mine', 'theirs', 'discard'])
  expect(decidable([approval, edit], 'mine')).toEqual([edit])
  expect(decidable([approval, edit], 'discard')).toEqual([approval])
  expect(decidable([approval, comment], 'again')).toEqual([comment])
  expect(actsForAll([comment])).toContain('export')
})
