import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expenseStatuses } from '#shared/domain/expense-status'
import { parseFilter } from '#shared/contract/filters'
import { expenseListOptions } from '#shared/contract/expenses'
import {
  filterAttributeNames,
  formatTerm,
  kindOf,
  operatorsOf,
  parseTerm,
  putTerm,
  toApiFilter,
  type FilterTerm,
} from '../../../src-renderer/records/filters/filter-terms'
import { sampleExpense, summaryOf } from './samples'
import { queueSums } from '../../../src-renderer/features/review/list/queue-sums'
import {
  chosenGroup,
  firstView,
  formatView,
  groupTerm,
  groupings,
  listsExpense,
  parseView,
  unknownParts,
  queues,
  tabQueues,
  toCleanFilter,
  toListFilter,
  usualSort,
  type ReviewView,
} from '../../../src-renderer/records/filters/review-view'

const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2040-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const word = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '' && !text.includes(','))
const values = {
  receiver: fc.integer({ min: 1, max: 1e9 }).map(String),
  tag: word,
  text: word,
  has_tag: fc.constantFrom('0', '1'),
  day,
  currency: fc.constantFrom('BRL', 'USD', 'JPY'),
  amount: fc.integer({ min: 0, max: 1e8 }).map((cents) => String(cents / 100)),
  status: fc.constantFrom(...expenseStatuses),
  kind: fc.constantFrom('monetary', 'distance'),
  name: word,
  supplier: word,
  flag_level: fc.constantFrom('1', '2', '3'),
  flag: fc.constantFrom('none', 'amount_over'),
  policy: fc.integer({ min: 1, max: 1e9 }).map(String),
  has_receipt: fc.constantFrom('0', '1'),
  handed_over: fc.constantFrom('yes', 'no', 'changed'),
  card: fc.integer({ min: 1, max: 1e9 }).map(String),
  responsible: fc.integer({ min: 1, max: 1e9 }).map(String),
  month: fc.constantFrom('2026-03', '1999-12'),
}
const noSupplier = groupTerm('supplier', null)
const ownTerms: fc.Arbitrary<FilterTerm> = fc.constantFrom(...filterAttributeNames).chain((attribute) =>
  fc.record({
    attribute: fc.constant(attribute),
    // Without a value it is another filter: what no policy objects to.
    operator: fc.constantFrom(...(attribute === 'flag_level' ? ['from' as const] : operatorsOf(attribute))),
    value: values[kindOf(attribute)],
  }),
)
const terms = fc.oneof({ weight: 9, arbitrary: ownTerms }, { weight: 1, arbitrary: fc.constant(noSupplier) })
const views: fc.Arbitrary<ReviewView> = fc.record({
  queue: fc.constantFrom(...queues),
  terms: fc.array(terms, { maxLength: 6 }).map((all) => all.reduce<readonly FilterTerm[]>((kept, term) => putTerm(kept, term), [])),
  sort: fc.record({
    columnId: fc.constantFrom('occurred_at', 'amount', 'status', 'description', 'flags', 'age'),
    direction: fc.constantFrom('ascending' as const, 'descending' as const),
  }),
  group: fc.constantFrom(null, ...groupings),
  search: fc.string({ maxLength: 20 }).map((text) => text.trim()),
  walksFlagged: fc.boolean(),
})

test('a view written into the address is read from it again', () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(parseView(formatView(view))).toEqual(view)
      expect(unknownParts(formatView(view))).toEqual([])
    }),
  )
})

test('every filter that can be written is one that the API understands', () => {
  fc.assert(
    fc.property(views, (view) => {
      expect(parseFilter(expenseListOptions, toListFilter(view, 1)).kind).toBe('ok')
    }),
  )
})

test('an address of nonsense gives the first view', () => {
  expect(parseView('queue=none&f=amount.above.x&f=nothing.is.1&sort=payer&group=me&f=status.is.gone')).toEqual(firstView)
  expect(unknownParts('queue=none&f=nothing.is.1&f=status.is.approved&group=me')).toEqual(['nothing.is.1', 'queue=none', 'group=me'])
  expect([unknownParts('sort=-amount'), unknownParts('sort=colour')]).toEqual([[], ['sort=colour']])
  expect(parseView('')).toEqual({ ...firstView, sort: usualSort })
})

test('a search without a queue looks everywhere', () => {
  expect(parseView('search=taxi').queue).toBe('all')
})

test('several claimants are any of them, several tags all, a second limit takes the place of the first', () => {
  const all = ['receiver.is.1', 'receiver.is.2', 'tag.is.Travel', 'tag.is.Meals', 'amount.above.5', 'amount.above.7.50']
    .map(parseTerm)
    .filter((term) => term !== undefined)
  expect(toApiFilter(all.reduce<readonly FilterTerm[]>((kept, term) => putTerm(kept, term), []))).toEqual({
    receiver_id_in: ['1', '2'],
    search_tags: 'Travel,Meals',
    amount_gt: '7.50',
  })
})

test('a day takes in all of it', () => {
  const [on, until] = ['occurred_at.is.2026-02-28', 'occurred_at.to.2026-12-31'].map(parseTerm)
  expect(on && toApiFilter([on])).toEqual({ occurred_at_gteq: '2026-02-28', occurred_at_lt: '2026-03-01' })
  expect(until && toApiFilter([until])).toEqual({ occurred_at_lt: '2027-01-01' })
})

test('a filter that is changed keeps its place', () => {
  fc.assert(
    fc.property(terms, terms, (first, second) => {
      const before = putTerm(putTerm([], first), second)
      const changed = { ...first, attribute: 'description' as const, operator: 'contains' as const, value: 'x' }
      const at = before.indexOf(first)
      if (at >= 0) expect(putTerm(before, changed, first).map(formatTerm)).toContain(formatTerm(changed))
    }),
  )
})

test('choosing a group narrows to it, also to what has no tag or names no supplier', () => {
  const chosen = [
    ['receiver', 7],
    ['tag', 'Travel'],
    ['tag', null],
    ['supplier', 'Padaria Sol, Lda.'],
    ['supplier', null],
    ['flag', 'amount_over'],
    ['flag', null],
    ['responsible', 3],
    ['responsible', null],
  ] as const
  for (const [group, key] of chosen) {
    const term = groupTerm(group, key)
    expect(chosenGroup({ ...firstView, group, terms: [term] })).toEqual(term)
    expect(parseTerm(formatTerm(term))).toEqual(term)
  }
})

test('a queue lists its own status, and a filter narrows it further', () => {
  const [pending, approved] = [{ status: 'pending', flag_level: null } as const, { status: 'approved', flag_level: null } as const]
  expect(listsExpense({ ...firstView, queue: 'pending' }, pending)).toBe(true)
  expect(listsExpense({ ...firstView, queue: 'pending' }, approved)).toBe(false)
  expect(
    listsExpense({ ...firstView, queue: 'all', terms: [{ attribute: 'status', operator: 'is_not', value: 'approved' }] }, approved),
  ).toBe(false)
})

test('the queues of what waits list it by what was found, and nothing that is decided or is with the claimant', () => {
  const listedBy = (queue: 'clean' | 'flagged', status: (typeof expenseStatuses)[number], flag_level: number | null) =>
    listsExpense({ ...firstView, queue }, { status, flag_level })
  expect([listedBy('clean', 'analyzing', null), listedBy('clean', 'analyzing', 1)]).toEqual([true, false])
  expect([listedBy('flagged', 'analyzing', null), listedBy('flagged', 'analyzed', 1)]).toEqual([false, true])
  for (const status of ['pending', 'approved', 'noncompliant'] as const)
    expect([listedBy('clean', status, null), listedBy('flagged', status, 1)]).toEqual([false, false])
})

test('every status is in a tab by what is to be done, and an address that names one still lists it', () => {
  for (const status of expenseStatuses) {
    const listing = tabQueues.filter((queue) => queue !== 'all' && listsExpense({ ...firstView, queue }, { status, flag_level: null }))
    expect([status, listing.filter((queue) => queue !== 'clean').length]).toEqual([status, 1])
    expect(parseView(`queue=${status}`).queue).toBe(status)
  }
})

test('a tab has what its list has, and approving what is clean in it goes no further', () => {
  const statuses = expenseStatuses.map((status, at) => sampleExpense(at + 1, { status }))
  const summary = { all: summaryOf(statuses), flagged: summaryOf([]) }
  for (const queue of tabQueues)
    expect([queue, queueSums(summary, queue).count]).toEqual([
      queue,
      queue === 'flagged' ? 0 : statuses.filter((expense) => listsExpense({ ...firstView, queue }, expense)).length,
    ])
  expect(toCleanFilter({ ...firstView, queue: 'in_review' }, 1)).toMatchObject({ queue: 'clean', status_not_eq: 'awaiting_analysis' })
  expect(parseFilter(expenseListOptions, toCleanFilter({ ...firstView, queue: 'in_review' }, 1)).kind).toBe('ok')
})

test('expenses of several suppliers are any of them, and those of none take the place of all', () => {
  const named = [groupTerm('supplier', 'Sol'), groupTerm('supplier', 'Lua')].reduce<readonly FilterTerm[]>(
    (terms, term) => putTerm(terms, term),
    [],
  )
  expect(toListFilter({ ...firstView, queue: 'all', terms: named }, null)).toEqual({ supplier: ['Sol', 'Lua'] })
  const none = putTerm(named, noSupplier)
  expect(toListFilter({ ...firstView, queue: 'all', terms: none }, null)).toEqual({ supplier: [''] })
  expect(toListFilter({ ...firstView, queue: 'all', terms: putTerm(none, groupTerm('supplier', 'Sol')) }, null)).toEqual({
    supplier: ['Sol'],
  })
})
