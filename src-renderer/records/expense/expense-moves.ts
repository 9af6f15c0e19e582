import type { BatchOperation } from '#shared/contract/batch'
import type { Expense } from '#shared/contract/expenses'
import { type ExpenseStatus, isFinal } from '#shared/domain/expense-status'
import { etagOf } from '../../api/client'
import { RecordWrites } from '../../api/record-writes'

/** The area of the undo stack for acts on expenses, wherever they were done. */
export const expenseArea = 'expenses'

/** All that this window writes to expenses. */
export const expenseQueue = new RecordWrites<Expense>()

/** What of an expense an act needs to know. */
export type ActedExpense = Pick<
  Expense,
  'id' | 'uid' | 'version' | 'status' | 'amount' | 'currency' | 'approved_amount' | 'approved_amount_currency' | 'ignore_noncompliant'
>

/**
 * Whether an expense is still what a decision about it was made on. After own writes it may not be: an earlier one was refused,
 * or this decision was sent twice. Then it is not carried out.
 */
export function isAsSeen(now: ActedExpense, seen: ActedExpense): boolean {
  return (
    now.status === seen.status &&
    now.amount === seen.amount &&
    now.currency === seen.currency &&
    now.approved_amount === seen.approved_amount &&
    now.approved_amount_currency === seen.approved_amount_currency &&
    (now.status !== 'noncompliant' || now.ignore_noncompliant === seen.ignore_noncompliant)
  )
}

/** The body of a move. */
export type MoveBody = { readonly status: ExpenseStatus } & Readonly<Record<string, unknown>>

/** A move of an expense to a status, refused by the server when it has changed since this version. */
export function moveOperation({ id, uid, version }: Pick<Expense, 'id' | 'uid' | 'version'>, body: MoveBody): BatchOperation {
  return { method: 'PUT', path: `/expenses/${id}/status`, body, if_match: etagOf({ uid, version }) }
}

/** One write of an expense, made of how the write before left it; it is sent only when that one went through. */
export type ExpenseStep = (now: ActedExpense) => BatchOperation

function bodyOf({ status, approved_amount, approved_amount_currency, ignore_noncompliant }: ActedExpense): MoveBody {
  if (status === 'approved') return { status, approved_amount, approved_amount_currency }
  return status === 'noncompliant' ? { status, ignore_noncompliant } : { status }
}

/** The write that brings an expense back to what it was before its last move; none where nothing moved it, undefined where it is final. */
export function stepsBack({ before, after }: { before: ActedExpense; after: ActedExpense }): ExpenseStep[] | undefined {
  if (isAsSeen(after, before)) return []
  if (isFinal(after.status)) return undefined
  return [(now) => moveOperation(now, { ...bodyOf(before), undo_of: now.version })]
}
