import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { expenseRoutes } from '#shared/contract/expenses'
import { attach } from '#test/support/attach'
import { recordExpense } from '#test/support/expenses'
import { readRows } from '../../../src-renderer/features/review/list/expense-reading'
import { listMatching } from '../../../src-renderer/features/review/list/list-matching'
import { nextFlagged } from '../../../src-renderer/features/review/list/next-row'
import { RowSource } from '../../../src-renderer/features/review/list/row-source'
import { useChoices } from '../../../src-renderer/records/filters/filter-choices'
import { filterAttributeNames, kindOf, operatorsOf, putTerm, termOf } from '../../../src-renderer/records/filters/filter-terms'
import {
  firstView,
  formatView,
  groupTerm,
  parseView,
  toApiSort,
  toCleanFilter,
  toListFilter,
  type ReviewView,
} from '../../../src-renderer/records/filters/review-view'
import { useTermWords } from '../../../src-renderer/records/filters/term-words'
import { call } from '#renderer/api/client'
import { planBatch } from '#renderer/records/expense/deciding/batch-plan'
import { findRow } from '#renderer/records/expense/expense-store'
import { readHook } from '../read-hook'
import { type Sequences, startSequences } from './sequences'

/** What the lists of Review ask a real server for, from their addresses, and the words of their filters. */

let own: Sequences
let organizationId: number
let policyId: number
const amounts = [10, 15, 20, 25, 503, 30, 533, 35]
beforeAll(async () => {
  own = await startSequences()
  organizationId = own.instance.organization_id
  const write = async (policy: object) =>
    (await own.instance.manager.api.send('POST', `/organizations/${organizationId}/policies`, { condition: 'amount_over', ...policy })).body
  await write({ name: 'Meals', weight: 'note', amount: 80, currency: 'BRL' })
  policyId = (await write({ name: 'Dear', weight: 'block', amount: 530, currency: 'BRL' })).id
  for (const [index, amount] of amounts.entries()) {
    const day = { description: `Ride ${index}`, occurred_at: `2026-03-0${index + 1}` }
    const { id } = await recordExpense(own.instance, own.instance.member, { amount, ...day })
    if (amount === 10) for (const name of ['front.png', 'back.png']) await attach(own.instance.member.api, id, name)
  }
})
afterAll(() => own.end())
beforeEach(() => own.begin())

async function amountsOf(view: ReviewView): Promise<number[]> {
  const pages = await Array.fromAsync(listMatching(toListFilter(view, organizationId)))
  return pages.flat().map(({ amount }) => amount)
}
const wordsOf = ({ terms }: ReviewView) =>
  readHook(() => {
    const words = useTermWords(undefined, terms)
    return terms.map(words).map(({ attribute, value }) => `${attribute}: ${value}`)
  })

test('what matches a filter and has no findings is approved, and nothing else', async () => {
  const clean = toCleanFilter(parseView('queue=all&f=amount.to.510'), organizationId)
  const plan = await planBatch({ kind: 'approve' }, listMatching(clean))
  expect(plan).toMatchObject({ totals: [{ amount: 135, currency: 'BRL' }], skipped: [] })
  const few = toCleanFilter(parseView('queue=all&f=amount.to.20'), organizationId)
  expect((await planBatch({ kind: 'approve' }, listMatching(few))).acting.map(({ amount }) => amount)).toEqual([10, 15, 20])
})

const cleanOnes = amounts.filter((amount) => amount <= 80)
test.each([
  ['f=flag_level.from.1', ['Policies: Something found'], [503, 533]],
  ['f=flag_level.from.3', ['Policies: Blocked'], [533]],
  ['f=flag_level.is.', ['Policies: Nothing found'], cleanOnes],
  ['f=flag.is.amount_over', ['Finding: Amount over a limit'], [503, 533]],
  ['f=flag.is.none', ['Finding: Nothing found'], cleanOnes],
  ['f=has_receipt.is.1', ['Receipt: Attached'], [10]],
  [
    'f=has_receipt.is.0&f=responsible.is.&f=card.is.',
    ['Receipt: Missing', 'Decided by: Nobody', 'Company card: No company card'],
    amounts.slice(1),
  ],
  ['f=amount.from.30&f=amount.below.533', ['Amount: 30.00', 'Amount: 533.00'], [503, 30, 35]],
])('a list with %s lists what its words say', async (address, words, listed) => {
  const view = parseView(`queue=all&${address}`)
  expect(wordsOf(view)).toEqual(words)
  expect(await amountsOf(view)).toEqual(listed)
})

test('the filter by a policy lists what that one found', async () => {
  expect(await amountsOf(parseView(`queue=all&f=policy.is.${policyId}`))).toEqual([533])
})

test('what a list is grouped by counts what choosing the group lists', async () => {
  const view: ReviewView = { ...firstView, queue: 'all', group: 'flag' }
  const { groups } = await call(expenseRoutes.summary, { query: { q: toListFilter(view, organizationId), group_by: 'flag' } })
  expect(groups.map(({ key, count }) => [key, count])).toEqual(
    expect.arrayContaining([
      ['amount_over', 2],
      [null, 6],
    ]),
  )
  for (const { key, count } of groups)
    expect(await amountsOf({ ...view, terms: [groupTerm('flag', key === null ? null : String(key))] })).toHaveLength(count)
})

test('the walk over findings stops at each of them in order, at none beyond the last, and goes back', async () => {
  const view = parseView('queue=awaiting_analysis&sort=amount&walk=flagged')
  expect([view.walksFlagged, formatView(view)]).toEqual([true, 'queue=awaiting_analysis&sort=amount&walk=flagged'])
  const query = { filter: toListFilter(view, organizationId), sort: toApiSort(view.sort) }
  const source = new RowSource({ query, read: readRows, isListed: () => true })
  await source.ensure(0, 0)
  const rows = { source, snapshot: source.snapshot() }
  const [first, second] = [await nextFlagged(rows, -1, 1), await nextFlagged(rows, 6, 1)]
  const amountAt = (index = -1) => findRow(source.uidAt(index) ?? '')?.expense.amount
  expect([first, second].map(amountAt)).toEqual([503, 533])
  expect(await nextFlagged(rows, 7, 1)).toBeUndefined()
  expect(await nextFlagged(rows, 7, -1)).toBe(6)
})

test('tags and their absence are one filter, of which one choice takes the place of the other', () => {
  expect(filterAttributeNames.filter((name) => ['tag', 'has_tag'].includes(kindOf(name)))).toEqual(['tag'])
  const [any, none] = readHook(() => useChoices('tag', { people: undefined, tags: undefined })) ?? []
  expect([any?.label, none?.label]).toEqual(['Any tag', 'No tag'])
  const [some, without] = [any, none].map((choice) => termOf({ attribute: 'tag', operator: 'is', value: choice?.value ?? '' }))
  const view: ReviewView = { ...firstView, queue: 'all', terms: some ? [some] : [] }
  expect([wordsOf(view), formatView(view)]).toEqual([['Tags: Some'], 'queue=all&f=has_tag.is.1'])
  expect(without && putTerm(view.terms, without)).toEqual([without])
  expect(without && putTerm(view.terms, without, some)).toEqual([without])
})

test('every choice that a filter offers makes one, and what is typed is never taken for a choice', () => {
  for (const attribute of filterAttributeNames) {
    const [operator = 'is'] = operatorsOf(attribute)
    const choices = readHook(() => ({ offered: useChoices(kindOf(attribute), { people: undefined, tags: undefined }) })).offered ?? []
    const made = choices.map(({ value }) => termOf({ attribute, operator, value }))
    expect({ attribute, made }).toEqual({ attribute, made: made.map(() => expect.objectContaining({ operator: expect.any(String) })) })
  }
  for (const value of ['clean', 'found', ',1'])
    expect(termOf({ attribute: 'description', operator: 'contains', value })).toEqual({
      attribute: 'description',
      operator: 'contains',
      value,
    })
})
