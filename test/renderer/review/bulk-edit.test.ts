import { expect, test } from 'vitest'
import { editOperation, planEdit } from '../../../src-renderer/features/review/bulk/bulk-edit'
import { sampleExpense } from './samples'

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
