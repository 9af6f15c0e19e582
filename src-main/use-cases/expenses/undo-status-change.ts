import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Row } from '#db/schema'
import type { expenseRoutes } from '#shared/contract/expenses'
import { forbidden } from '#shared/domain/errors'
import { type ExpenseRelation, decideMove, expenseStatuses, isFinal } from '#shared/domain/expense-status'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import { findLastChange } from '#main/store/records/conversations/last-change'
import { recordActivity } from '#main/store/records/conversations/activity-writer'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { updateExpense } from '#main/store/records/expenses/expense-writer'
import { assertOpenMonth } from '#main/store/records/organizations/closed-months'
import type { Changes } from '#main/store/core/record-writer'
import { findReplicaValue } from '#main/store/sync/replica-state'
import type { Tx } from '#main/store/core/store'
import { toStoredAmount } from '../access/amounts'
import { assertFresh, staleSince } from '../access/preconditions'
import { decisionDetails, unapproved } from './decided-expense'

type Expense = Row<'expenses'>

/** An expense's last move, to be undone by the person who made it. */
interface UndoneMove {
  readonly expense: Expense
  readonly relation: ExpenseRelation
  /** The expense's earlier state, as that person saw it. */
  readonly asked: z.output<typeof expenseRoutes.changeStatus.body>
  /** The version that the move made. A replica's operations get other versions at the remote: there only the trail decides. */
  readonly undo_of: number
}

/**
 * Undoes an expense's last move: restores status, responsible user and approved amount, in one write with one entry (supplement 3, "Undo of a
 * decision"). Only the person who made it may, while they could make it again and nothing else has changed. Throws {@link DomainError}.
 */
export async function undoStatusChange(tx: Tx, { expense, relation, asked, undo_of }: UndoneMove): Promise<Expense> {
  const last = await findLastChange(tx, { type: 'Expense', id: expense.id })
  const known = last?.user_id === tx.actor.user_id ? stateBefore(expense, last) : undefined
  const before = known ?? ((await findReplicaValue(tx, 'remote'))?.is_compatible_only ? stateAsked(expense, asked) : undefined)
  const isOfVersion = undo_of === expense.version || tx.actor.op_id !== undefined
  if (before?.status !== asked.status || !isOfVersion) throw await staleSince(tx, { ...expense, version: undo_of }, tx.actor.user_id)
  const movable = { status: before.status, ignore_noncompliant: before.ignore_noncompliant === 1 }
  if (isFinal(expense.status) || decideMove(movable, { ...relation, kept_from: [] }, expense.status).kind !== 'allowed') throw forbidden()
  await assertFresh(tx, expense)
  await assertOpenMonth(tx, expense)
  const { status, responsible_user_id, ignore_noncompliant } = before
  const { approved_amount_minor, approved_amount_scaled, approved_amount_currency } = before
  const changes = {
    status,
    responsible_user_id,
    ignore_noncompliant,
    approved_amount_minor,
    approved_amount_scaled,
    approved_amount_currency,
  }
  const stored = await updateExpense(tx, expense, { changes })
  const event = stored.status === expense.status ? 'expense_updated' : 'expense_status_changed'
  const subject = { type: 'Expense', id: expense.id } as const
  // A stand-in also undoes on behalf of the person.
  const details = [...decisionDetails(expense, stored), ...(known && last ? last.details.filter(isStandIn) : []), undone]
  await recordActivity(tx, { organization_id: expense.payer_id, subject, event, details })
  return stored
}

const undone: ActivityDetail = { attribute: 'undo', from: null, to: true }

const isStandIn = ({ attribute }: ActivityDetail) => attribute === 'stands_in_for'

const movedFrom = z.strictObject({
  status: z.enum(expenseStatuses).optional(),
  responsible_user_id: z.int().nullish(),
  ignore_noncompliant: z.boolean().nullish(),
  approved_amount: z.number().nullish(),
  approved_amount_currency: z.string().nullish(),
})

/** The expense before an entry of its trail; undefined unless the entry is only a move, and the expense has not changed since. */
function stateBefore(expense: Expense, last: Activity): Expense | undefined {
  const details = last.details.filter((detail) => !isStandIn(detail))
  const { data } = movedFrom.safeParse(Object.fromEntries(details.map(({ attribute, from }) => [attribute, from])))
  if (!data) return undefined
  const { approved_amount: amount, approved_amount_currency: otherCurrency, ignore_noncompliant: ignored, ...others } = data
  const currency = otherCurrency ?? details.find(({ attribute }) => attribute === 'approved_amount')?.currency
  const changes: Changes<'expenses'> = {
    ...others,
    ...(ignored === undefined ? {} : { ignore_noncompliant: ignored === null ? null : ignored ? 1 : 0 }),
    ...(amount === null ? unapproved : {}),
    ...(typeof amount === 'number' && currency ? approved(amount, currency) : {}),
  }
  const before = { ...expense, ...changes }
  return isDeepStrictEqual(decisionDetails(before, expense), details) ? before : undefined
}

/** The same from the caller's word: a contract-only remote shows no trail, and checks the undo itself. */
function stateAsked(
  expense: Expense,
  { status, ignore_noncompliant, approved_amount, approved_amount_currency }: UndoneMove['asked'],
): Expense {
  const isApproved = status === 'approved' && approved_amount != null && approved_amount_currency != null
  const amounts = isApproved ? approved(Number(approved_amount), approved_amount_currency) : unapproved
  return { ...expense, status, ignore_noncompliant: ignore_noncompliant == null ? null : ignore_noncompliant ? 1 : 0, ...amounts }
}

function approved(amount: number, currency: string): Changes<'expenses'> {
  const { amount_minor, amount_scaled } = toStoredAmount(amount, { currency, attribute: 'approved_amount' })
  return { approved_amount_minor: amount_minor, approved_amount_scaled: amount_scaled, approved_amount_currency: currency }
}
