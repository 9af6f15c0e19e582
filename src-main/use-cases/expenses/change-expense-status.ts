import type { z } from 'zod'
import type { Flag } from '#db/record-tables'
import type { Row } from '#db/schema'
import type { expenseRoutes } from '#shared/contract/expenses'
import { DomainError, forbidden, invalid } from '#shared/domain/errors'
import {
  type ExpenseRelation,
  type ExpenseStatus,
  decideMove,
  isBlockedMove,
  isUndecided,
  needsApprovedAmount,
} from '#shared/domain/expense-status'
import { fromMinor, parseAmount } from '#shared/domain/money'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { flagsOf, judgeExpense, knownRepeats, listTagIdsOf } from '#main/store/records/expenses/expense-flags'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { updateExpense } from '#main/store/records/expenses/expense-writer'
import { assertOpenMonth } from '#main/store/records/organizations/closed-months'
import { listPolicyNames } from '#main/store/records/organizations/policy-reader'
import { findParticipant, insertParticipant } from '#main/store/records/conversations/participants'
import type { Changes } from '#main/store/core/record-writer'
import type { Tx } from '#main/store/core/store'
import { assertCurrencyInUse, toStoredAmount } from '../access/amounts'
import { type Mover, assertApprovalsHold, refusalOf, weighMover } from '../access/duties'
import { getVisibleExpense } from '../access/get-visible-expense'
import { toFollowableExpense } from '../access/followables'
import { assertFresh, getWritableOrganization } from '../access/preconditions'
import { addComment } from '../comments/comments'
import { decisionDetails, unapproved } from './decided-expense'
import { undoStatusChange } from './undo-status-change'

/** A move to another status and its values (contract 4.14). */
export type ChangeExpenseStatus = z.output<typeof expenseRoutes.changeStatus.body>

type Expense = Row<'expenses'>

/** Moves an expense to another status (contract 3.1, supplement 2, "Expense status moves"). Throws {@link DomainError}. */
export async function changeExpenseStatus(tx: Tx, id: number, input: ChangeExpenseStatus): Promise<Expense> {
  const { user_id } = tx.actor
  const joins = input.status === 'analyzing'
  // Together: on a database behind a network each read would otherwise wait for the one before.
  const [{ expense, relation: own }, participant] = await Promise.all([
    getVisibleExpense(tx, { id, user_id }),
    joins ? findParticipant(tx, { kind: 'expense', id }, user_id) : undefined,
  ])
  await getWritableOrganization(tx, expense.payer_id)
  const mover = await weighMover(tx, { expense, relation: own, user_id, now: tx.now })
  const { relation, kept } = mover
  if (input.undo_of != null) return undoStatusChange(tx, { expense, relation, asked: input, undo_of: input.undo_of })
  const ignored = expense.ignore_noncompliant === null ? null : expense.ignore_noncompliant === 1
  const judged = await judgeDecision(tx, expense, input)
  const movable = { ...expense, ...judged, ignore_noncompliant: ignored }
  const decision = decideMove(movable, { ...relation, kept_from: [], is_closed: false }, input.status)
  if (decision.kind === 'forbidden') throw forbidden()
  const keptFrom = kept.get(input.status) ?? (await keptByApproved(tx, { expense, relation: own, input }))
  if (keptFrom && decision.kind === 'allowed') throw await refusalOf(tx, keptFrom)
  await assertFresh(tx, expense)
  await assertOpenMonth(tx, expense)
  if (isBlockedMove(movable, input.status)) throw await blockOf(tx, movable)
  if (decision.kind === 'not_offered') throw invalid('status', 'inclusion')
  if (input.status === 'liquidated' && expense.status === 'approved') await assertApprovalsHold(tx, [id])
  const changes = { status: input.status, ...toleranceOf(input), ...approvalOf(expense, input), ...responsibilityOf(tx, input.status) }
  const stored = await updateExpense(tx, expense, { changes, judged })
  if (joins && !participant) await insertParticipant(tx, toFollowableExpense(stored), user_id)
  const details = decisionDetails(expense, stored)
  if (details.length > 0) details.push(...standInDetails(mover, { own, movable, to: input.status }))
  const event = stored.status === expense.status ? 'expense_updated' : 'expense_status_changed'
  if (details.length > 0) await recordActivity(tx, { organization_id: expense.payer_id, subject: { type: 'Expense', id }, event, details })
  const entries = details.length > 0 ? 1 : 0
  if (!input.comment || !isExplained(input.status)) return { ...stored, activities_count: stored.activities_count + entries }
  await addComment(tx, { followable: toFollowableExpense(stored), content: input.comment })
  return (await findExpense(tx, id)) ?? stored
}

/** The trail's details of the person for whom a stand-in decides. */
function standInDetails(
  { standsInFor: { approved, others } }: Mover,
  { own, movable, to }: { own: ExpenseRelation; movable: Parameters<typeof decideMove>[0]; to: ExpenseStatus },
): ActivityDetail[] {
  const isOwnRight = decideMove(movable, { ...own, kept_from: [], is_closed: false }, to).kind === 'allowed'
  const ids = to === 'approved' ? approved : isOwnRight ? [] : others
  const people = ids.toSorted((one, other) => one - other).join(', ')
  return people === '' ? [] : [{ attribute: 'stands_in_for', from: people, to: people }]
}

/** Judges an expense that is about to be approved: sums with others may have just changed. The expense keeps these findings. */
async function judgeDecision(tx: Tx, expense: Expense, input: ChangeExpenseStatus) {
  if (input.status !== 'approved' && input.status !== 'liquidated') return undefined
  const isGiven = input.approved_amount !== undefined && input.approved_amount !== null
  const approved_amount_currency = isGiven ? (approvedCurrencyOf(expense, input) ?? null) : expense.approved_amount_currency
  const decided = { ...expense, approved_amount_currency }
  return judgeExpense(tx, decided, { repeats: knownRepeats(expense), tag_ids: () => listTagIdsOf(tx, expense.id) })
}

/** The currency of an approved amount. If the move states none, it is BRL for an expense in BRL, otherwise undefined. */
function approvedCurrencyOf({ currency }: Expense, { approved_amount_currency }: ChangeExpenseStatus): string | undefined {
  return approved_amount_currency ?? (currency === 'BRL' ? 'BRL' : undefined)
}

/** Why a person may not approve an amount in another currency than the claim's, which nothing else compares with the claim. */
async function keptByApproved(
  tx: Tx,
  { expense, relation, input }: { expense: Expense; relation: ExpenseRelation; input: ChangeExpenseStatus },
) {
  const { status, approved_amount: amount, approved_amount_currency: currency } = input
  if ((status !== 'approved' && status !== 'liquidated') || amount == null || currency == null) return undefined
  const parsed = parseAmount(amount, currency)
  if (currency === expense.currency || parsed.kind !== 'ok') return undefined
  const approved = { ...expense, amount_minor: parsed.amount_minor, currency }
  const { kept } = await weighMover(tx, { expense: approved, relation, user_id: tx.actor.user_id, now: tx.now })
  return kept.get(status)
}

/** The error with the policy that blocks it, and its finding. */
async function blockOf(tx: Tx, expense: Pick<Expense, 'flags'>): Promise<DomainError> {
  const [worst] = flagsOf(expense)
  if (worst?.policy_id == null) throw new Error('An expense is blocked by no policy.')
  const params = { policy: (await listPolicyNames(tx, [worst.policy_id])).get(worst.policy_id) ?? '' }
  return new DomainError({ kind: 'invalid', fields: { status: [{ code: 'blocked_by_policy', params, found: worst }] } })
}

/** The moves that take a comment, as the receiver should learn the reason (supplement 2, "Expense status moves"). */
function isExplained(status: ExpenseStatus): boolean {
  return status === 'pending' || status === 'rejected'
}

/** Whether a breach of policy is tolerated, which is part of a decision: undecided statuses do not store it. */
function toleranceOf({ status, ignore_noncompliant }: ChangeExpenseStatus): Changes<'expenses'> {
  if (isUndecided(status)) return { ignore_noncompliant: null }
  if (status !== 'noncompliant') return {}
  if (ignore_noncompliant === undefined || ignore_noncompliant === null) throw invalid('ignore_noncompliant', 'blank')
  const flag: Flag = ignore_noncompliant ? 1 : 0
  return { ignore_noncompliant: flag }
}

const responsible: readonly ExpenseStatus[] = ['analyzing', 'analyzed', 'approved', 'rejected', 'noncompliant']

/** The responsible user: the one who starts the analysis of an expense (contract 3.1), then the one who decides it. */
function responsibilityOf({ actor }: Tx, status: ExpenseStatus): Changes<'expenses'> {
  return responsible.includes(status) ? { responsible_user_id: actor.user_id } : {}
}

/** The approved amount after the move; leaving approved for analysis or rejection clears it. */
function approvalOf(expense: Expense, input: ChangeExpenseStatus): Changes<'expenses'> {
  const { status } = input
  if (status !== 'approved' && status !== 'liquidated') return expense.approved_amount_minor === null ? {} : unapproved
  if (input.approved_amount === undefined || input.approved_amount === null) {
    if (needsApprovedAmount(expense.status, status)) throw invalid('approved_amount', 'blank')
    return {}
  }
  const currency = approvedCurrencyOf(expense, input)
  if (currency === undefined) throw invalid('approved_amount_currency', 'blank')
  assertCurrencyInUse(currency, { kept: expense.currency, attribute: 'approved_amount_currency' })
  const { amount_minor, amount_scaled } = toStoredAmount(input.approved_amount, { currency, attribute: 'approved_amount' })
  if (currency === expense.currency && amount_minor > expense.amount_minor)
    throw invalid('approved_amount', 'less_than_or_equal_to', { limit: fromMinor(expense.amount_minor, currency) })
  return { approved_amount_minor: amount_minor, approved_amount_scaled: amount_scaled, approved_amount_currency: currency }
}
