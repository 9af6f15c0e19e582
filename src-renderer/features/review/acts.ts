import type { BatchOperation } from '#shared/contract/batch'
import type { Expense } from '#shared/contract/expenses'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { etagOf } from '../../api/client'

/** What a reviewer does with expenses. Amounts in major units of the expense's currency. */
export type ReviewAct =
  | { readonly kind: 'approve' }
  | { readonly kind: 'approve_part'; readonly amount: number; readonly reason: string }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason: string }
  | { readonly kind: 'move'; readonly status: 'awaiting_analysis' | 'analyzing' | 'analyzed' | 'liquidated' }
  | { readonly kind: 'mark_noncompliant'; readonly isTolerated: boolean }

/** The status that an act leads to. */
export function targetOf(act: ReviewAct): ExpenseStatus {
  switch (act.kind) {
    case 'approve':
    case 'approve_part':
      return 'approved'
    case 'reject':
      return 'rejected'
    case 'ask':
      return 'pending'
    case 'move':
      return act.status
    case 'mark_noncompliant':
      return 'noncompliant'
  }
}

/** What of an expense an act needs to know. */
export type ActedExpense = Pick<
  Expense,
  | 'id'
  | 'uid'
  | 'version'
  | 'status'
  | 'amount'
  | 'currency'
  | 'approved_amount'
  | 'approved_amount_currency'
  | 'ignore_noncompliant'
>

/** A move of an expense to a status, refused by the server when it has changed since this version. */
export function moveOperation(
  expense: Pick<Expense, 'id' | 'uid'>,
  { version, body }: { version: number; body: { readonly status: ExpenseStatus } & Readonly<Record<string, unknown>> },
): BatchOperation {
  return { method: 'PUT', path: `/expenses/${expense.id}/status`, body, if_match: etagOf({ uid: expense.uid, version }) }
}

function bodyOf(
  act: ReviewAct,
  { status, amount, currency }: ActedExpense,
): { readonly status: ExpenseStatus } & Readonly<Record<string, unknown>> {
  switch (act.kind) {
    case 'approve':
      return { status: 'approved', approved_amount: amount, approved_amount_currency: currency }
    case 'approve_part':
      return { status: 'approved', approved_amount: act.amount, approved_amount_currency: currency }
    case 'reject':
      return { status: 'rejected', comment: act.reason }
    case 'ask':
      return { status: 'pending', comment: act.reason }
    case 'move':
      return act.status === 'liquidated' && status === 'awaiting_analysis'
        ? { status: act.status, approved_amount: amount, approved_amount_currency: currency }
        : { status: act.status }
    case 'mark_noncompliant':
      return { status: 'noncompliant', ignore_noncompliant: act.isTolerated }
  }
}

/** The writes of an act on one expense, the move first. Only a move into pending or rejected takes its reason along; that of a part is a comment of its own. */
export function operationsOf(act: ReviewAct, expense: ActedExpense): BatchOperation[] {
  const move = moveOperation(expense, { version: expense.version, body: bodyOf(act, expense) })
  if (act.kind !== 'approve_part' || act.reason.trim() === '') return [move]
  return [move, { method: 'POST', path: `/expenses/${expense.id}/comments`, body: { content: act.reason } }]
}

/** The expense as it will be once the act is done: what the row shows meanwhile. */
export function foreseen<E extends ActedExpense>(act: ReviewAct, expense: E): E {
  const body = bodyOf(act, expense)
  const status = targetOf(act)
  const approvedAmount = typeof body.approved_amount === 'number' ? body.approved_amount : null
  if (approvedAmount !== null)
    return { ...expense, status, approved_amount: approvedAmount, approved_amount_currency: expense.currency }
  return status === 'liquidated'
    ? { ...expense, status }
    : { ...expense, status, approved_amount: null, approved_amount_currency: null }
}
