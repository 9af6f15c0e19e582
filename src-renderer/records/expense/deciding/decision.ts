import { type ExpenseStatus, isUndecided } from '#shared/domain/expense-status'
import { type ActedExpense, type ExpenseStep, type MoveBody, moveOperation } from '../expense-moves'

/** What a reviewer does with expenses. Amounts in major units of the expense's currency. */
export type Decision =
  | { readonly kind: 'approve' }
  | { readonly kind: 'approve_part'; readonly amount: number; readonly reason: string }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'ask'; readonly reason: string }
  | { readonly kind: 'move'; readonly status: 'awaiting_analysis' | 'analyzing' | 'analyzed' | 'liquidated' }
  /** Settles what was not approved, with the amount that is approved by that. */
  | { readonly kind: 'settle'; readonly amount: number; readonly reason: string }
  | { readonly kind: 'mark_noncompliant' }
  | { readonly kind: 'tolerate'; readonly reason: string }

/** The status that an act leads to. */
export function targetOf(act: Decision): ExpenseStatus {
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
    case 'settle':
      return 'liquidated'
    case 'mark_noncompliant':
    case 'tolerate':
      return 'noncompliant'
  }
}

function bodyOf(act: Decision, { status, amount, currency }: ActedExpense): MoveBody {
  switch (act.kind) {
    case 'approve':
      return { status: 'approved', approved_amount: amount, approved_amount_currency: currency }
    case 'approve_part':
      return { status: 'approved', approved_amount: act.amount, approved_amount_currency: currency }
    case 'settle':
      return { status: 'liquidated', approved_amount: act.amount, approved_amount_currency: currency }
    case 'reject':
      return { status: 'rejected', comment: act.reason }
    case 'ask':
      return { status: 'pending', comment: act.reason }
    case 'move':
      return act.status === 'liquidated' && status === 'awaiting_analysis'
        ? { status: act.status, approved_amount: amount, approved_amount_currency: currency }
        : { status: act.status }
    case 'mark_noncompliant':
    case 'tolerate':
      return { status: 'noncompliant', ignore_noncompliant: act.kind === 'tolerate' }
  }
}

/** The reason that the move itself does not carry and that becomes a separate comment; empty where there is none. */
export function commentOf(act: Decision): string {
  return act.kind === 'approve_part' || act.kind === 'tolerate' || act.kind === 'settle' ? act.reason.trim() : ''
}

/** The move of an act. Only one into pending or rejected carries its reason. */
export function moveOf(act: Decision): ExpenseStep {
  return (now) => moveOperation(now, bodyOf(act, now))
}

/** The writes of an act on one expense, the move first. */
export function stepsOf(act: Decision): ExpenseStep[] {
  const move = moveOf(act)
  const content = commentOf(act)
  return content === '' ? [move] : [move, ({ id }) => ({ method: 'POST', path: `/expenses/${id}/comments`, body: { content } })]
}

/** The expense as it will be once the act is done: what the row shows meanwhile, and what a next act is decided on. */
export function foreseen<E extends ActedExpense>(act: Decision, expense: E): E {
  const body = bodyOf(act, expense)
  const status = targetOf(act)
  const kept = isUndecided(status) ? null : expense.ignore_noncompliant
  const ignore_noncompliant = status === 'noncompliant' ? act.kind === 'tolerate' : kept
  const isPaidAsApproved = status === 'liquidated' && body.approved_amount === undefined
  if (isPaidAsApproved) return { ...expense, status }
  const approvedAmount = typeof body.approved_amount === 'number' ? body.approved_amount : null
  const approved_amount_currency = approvedAmount === null ? null : expense.currency
  return { ...expense, status, ignore_noncompliant, approved_amount: approvedAmount, approved_amount_currency }
}
