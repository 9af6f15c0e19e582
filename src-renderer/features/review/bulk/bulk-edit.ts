import type { BatchOperation } from '#shared/contract/batch'
import type { Expense } from '#shared/contract/expenses'
import { decideExpenseEdit } from '#shared/domain/expense-access'
import type { ExpenseRelation } from '#shared/domain/expense-status'
import { tagKey } from '#shared/domain/tags'
import { etagOf } from '#renderer/api/client'
import type { FormChange } from '#renderer/records/expense/taken-back'
import type { ActedExpense } from '#renderer/records/expense/expense-moves'

/** How many expenses are edited at once. */
export const mostEdited = 1000

/** What to change of many expenses; what is absent stays. `card`: of the person who holds it; `emptied`: attributes that nothing is to be in. */
export type BulkChanges = {
  readonly addTags: readonly string[]
  readonly removeTags: readonly string[]
  readonly occurred_at?: string
  readonly supplier_name?: string
  readonly supplier_tax_id?: string
  readonly location?: string
  readonly card?: { readonly id: number; readonly user_id: number }
  readonly emptied?: readonly EmptiedAttribute[]
}

/** The attributes that a bulk edit writes. */
export const editedNames = ['tags', 'occurred_at', 'supplier_name', 'supplier_tax_id', 'location', 'corporative_card_id'] as const
/** Those of them that may be empty. */
export const emptiedNames = ['tags', 'supplier_name', 'supplier_tax_id', 'location', 'corporative_card_id'] as const
export type EmptiedAttribute = (typeof emptiedNames)[number]
/** One of them. */
export type EditedAttribute = (typeof editedNames)[number]
/** What is written of an expense. */
export type EditBody = Readonly<Partial<Pick<Expense, EditedAttribute>>>

/** One edit of a bulk edit: what is written, and what stood there. */
export type BulkEdit = { readonly expense: Expense; readonly body: EditBody; readonly back: EditBody }

/** Why an expense is left as it is: it has all this already, its month is closed, it may not be edited, or the card is not of its claimant. */
export type BulkSkip = 'unchanged' | 'closed' | 'forbidden' | 'card'

/** What a bulk edit will do. */
export type BulkPlan = { readonly edits: readonly BulkEdit[]; readonly skipped: ReadonlyMap<BulkSkip, number> }

/** The plan of a bulk edit of these expenses, as they are seen now. */
export function planEdit(expenses: readonly Expense[], changes: BulkChanges, relationTo: (expense: Expense) => ExpenseRelation): BulkPlan {
  const edits: BulkEdit[] = []
  const skipped = new Map<BulkSkip, number>()
  for (const expense of expenses) {
    const body = bodyOf(expense, changes)
    const skip = skipOf(expense, { changes, body, relation: relationTo(expense) })
    if (skip) skipped.set(skip, (skipped.get(skip) ?? 0) + 1)
    else edits.push({ expense, body, back: formerOf(expense, body) })
  }
  return { edits, skipped }
}

type Judged = { readonly changes: BulkChanges; readonly body: EditBody; readonly relation: ExpenseRelation }

function skipOf(expense: Expense, { changes, body, relation }: Judged): BulkSkip | undefined {
  if (Object.keys(body).length === 0) return 'unchanged'
  if (relation.is_closed === true) return 'closed'
  if (decideExpenseEdit(expense, relation).kind !== 'allowed') return 'forbidden'
  return changes.card && changes.card.user_id !== expense.receiver.id ? 'card' : undefined
}

/** What of an expense becomes something else. */
function bodyOf(expense: Expense, changes: BulkChanges): EditBody {
  const { emptied = [] } = changes
  const wanted: EditBody = {
    ...Object.fromEntries(emptied.map((name) => [name, null])),
    tags: retagged(emptied.includes('tags') ? '' : expense.tags, changes),
    ...(changes.occurred_at === undefined ? {} : { occurred_at: changes.occurred_at }),
    ...(changes.supplier_name === undefined ? {} : { supplier_name: changes.supplier_name }),
    ...(changes.supplier_tax_id === undefined ? {} : { supplier_tax_id: changes.supplier_tax_id }),
    ...(changes.location === undefined ? {} : { location: changes.location }),
    ...(changes.card === undefined ? {} : { corporative_card_id: changes.card.id }),
  }
  const differing = editedNames.filter((name) => wanted[name] !== undefined && !isSame(name, wanted[name], expense[name]))
  return Object.fromEntries(differing.map((name) => [name, wanted[name]]))
}

function isSame(name: EditedAttribute, wanted: unknown, now: unknown): boolean {
  // A day is written as a day, and shown as its first moment.
  return name === 'occurred_at' ? String(now).slice(0, 10) === wanted && String(now).endsWith('T00:00:00Z') : wanted === now
}

function retagged(tags: string, { addTags, removeTags }: BulkChanges): string {
  const removed = new Set(removeTags.map(tagKey))
  const kept = tags.split(', ').filter((name) => name !== '' && !removed.has(tagKey(name)))
  const known = new Set(kept.map(tagKey))
  return [...kept, ...addTags.filter((name) => !known.has(tagKey(name)))].join(', ')
}

/** What an edit changes, as forms have it. */
export function changeOf(expense: Expense, body: EditBody): FormChange {
  return { names: Object.keys(body), tags: (body.tags ?? expense.tags).split(', ') }
}

function formerOf(expense: Expense, body: EditBody): EditBody {
  return Object.fromEntries(editedNames.filter((name) => name in body).map((name) => [name, expense[name]]))
}

/** The write of an edit, refused by the server when the expense has changed since this version. */
export function editOperation({ id, uid, version }: ActedExpense, body: EditBody): BatchOperation {
  return { method: 'PATCH', path: `/expenses/${id}`, body, if_match: etagOf({ uid, version }) }
}
