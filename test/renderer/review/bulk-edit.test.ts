import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { editOperation, planEdit } from '../../../src-renderer/features/review/bulk/bulk-edit'
import { useBulkEdit } from '../../../src-renderer/features/review/bulk/use-bulk-edit'
import { expenseArea } from '../../../src-renderer/records/expense/expense-moves'
import { useStatus } from '../../../src-renderer/state/notices'
import { undoAct } from '../../../src-renderer/state/undo-stack'
import { findRow } from '#renderer/records/expense/expense-store'
import { readHook } from '../read-hook'
import { sampleExpense } from './samples'
import { type Sequences, startSequences } from './sequences'

let own: Sequences
beforeAll(async () => {
  own = await startSequences()
})
afterAll(() => own.end())
beforeEach(() => own.begin())

const analyst = { role: 'analyst', is_receiver: false } as const
const none = { addTags: [], removeTags: [] }

test('tags are added to and removed from those that an expense has, whatever their case, and undo writes the former ones', () => {
  const expenses = [sampleExpense(1, { tags: 'Travel, Meals' }), sampleExpense(2, { tags: '' }), sampleExpense(3, { tags: 'FAIR' })]
  const { edits, skipped } = planEdit(expenses, { addTags: ['Fair'], removeTags: ['meals'] }, () => analyst)
  expect(edits.map(({ body }) => body)).toEqual([{ tags: 'Travel, Fair' }, { tags: 'Fair' }])
  expect(edits.map(({ back }) => back)).toEqual([{ tags: 'Travel, Meals' }, { tags: '' }])
  expect(skipped).toEqual(new Map([['unchanged', 1]]))
})

test('what has it already, may not be edited, or is of another claimant than the holder of the card is left out', () => {
  const [own, other] = [sampleExpense(1), sampleExpense(2, { receiver: { ...sampleExpense(2).receiver, id: 99 } })]
  const settled = sampleExpense(3, { status: 'liquidated' })
  const card = { id: 5, user_id: own.receiver.id }
  const plan = planEdit([own, other, settled], { ...none, card }, () => analyst)
  expect(plan.edits.map(({ expense, body }) => [expense.id, body])).toEqual([[1, { corporative_card_id: 5 }]])
  expect(plan.skipped).toEqual(
    new Map([
      ['card', 1],
      ['forbidden', 1],
    ]),
  )
  const day = own.occurred_at.slice(0, 10)
  expect(planEdit([sampleExpense(1, { occurred_at: `${day}T00:00:00Z` })], { ...none, occurred_at: day }, () => analyst).edits).toEqual([])
})

test('each write names the version that was seen', () => {
  const expense = sampleExpense(4)
  expect(editOperation(expense, { location: 'Recife' })).toMatchObject({
    method: 'PATCH',
    path: '/expenses/4',
    body: { location: 'Recife' },
  })
  expect(editOperation(expense, {}).if_match).toContain(String(expense.version))
})

test('fields are emptied where something is in them, unless a value is given; undo writes the former one', () => {
  const full = sampleExpense(1, { tags: 'Travel', location: 'Recife', supplier_name: 'Sol', supplier_tax_id: '1' })
  const bare = sampleExpense(2, { tags: '', location: null, supplier_name: null, supplier_tax_id: null })
  const emptied = ['tags', 'supplier_tax_id', 'location'] as const
  const { edits, skipped } = planEdit([full, bare], { ...none, emptied }, () => analyst)
  expect(edits.map(({ body }) => body)).toEqual([{ tags: '', supplier_tax_id: null, location: null }])
  expect(edits.map(({ back }) => back)).toEqual([{ tags: 'Travel', supplier_tax_id: '1', location: 'Recife' }])
  expect(skipped).toEqual(new Map([['unchanged', 1]]))
  const typed = planEdit([full], { ...none, addTags: ['Fair'], supplier_tax_id: '2', emptied }, () => analyst)
  expect(typed.edits[0]?.body).toEqual({ tags: 'Fair', supplier_tax_id: '2', location: null })
})

test('the server takes what a bulk edit empties and writes, and one undo writes the former values back', async () => {
  const { read } = await own.startList(2)
  const { api } = own.instance.manager
  for (const [index, { id }] of read.entries())
    await api.send('PATCH', `/expenses/${id}`, { supplier_name: 'Sol', location: 'Recife', tags: index === 0 ? 'Travel' : 'Meals' })
  const now = () => Promise.all(read.map(async ({ id }) => (await api.get(`/expenses/${id}`)).body))
  const shown = async () =>
    (await now()).map(({ tags, location, supplier_name, supplier_tax_id }) => ({ tags, location, supplier_name, supplier_tax_id }))
  const changes = { ...none, supplier_tax_id: '11.222.333/0001-81', emptied: ['location', 'tags'] as const }
  const before = await shown()
  await readHook(useBulkEdit)(planEdit(await now(), changes, () => analyst).edits)
  const changed = { tags: '', location: null, supplier_name: 'Sol', supplier_tax_id: '11.222.333/0001-81' }
  expect(await shown()).toEqual([changed, changed])
  await vi.waitUntil(() => useStatus.getState().done?.message === '2 expenses changed')
  undoAct(expenseArea)
  await expect.poll(shown).toEqual(before)
})

test('without a network a bulk edit changes nothing, and says of how many and why', async () => {
  const { read } = await own.startList(1)
  vi.stubGlobal('navigator', { onLine: false })
  own.delay(() => Promise.reject(new TypeError('no network')))
  await readHook(useBulkEdit)(planEdit(read, { ...none, location: 'Recife' }, () => analyst).edits)
  const message = 'You are offline. Try again when you are back online.'
  expect(useStatus.getState().failures).toMatchObject([{ title: '1 expense was not changed', message }])
  expect(findRow(read[0]?.uid ?? '')?.state).toEqual({ kind: 'refused', reason: message })
  own.delay(async () => undefined)
  expect((await own.instance.manager.api.get(`/expenses/${read[0]?.id ?? 0}`)).body).toMatchObject({ version: 1, location: null })
})
