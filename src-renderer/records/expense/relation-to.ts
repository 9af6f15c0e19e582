import type { Expense } from '#shared/contract/expenses'
import type { Session } from '#shared/contract/instance/instance'
import { bookedMonth } from '#shared/domain/closing/months'
import { isWithin, needsSecondLook } from '#shared/domain/duties'
import type { ExpenseRelation, ExpenseStatus } from '#shared/domain/expense-status'
import { parseAmount } from '#shared/domain/money'

type Membership = Session['memberships'][number]

/** What the organization keeps the person from, whatever the expense. */
export function relationIn(membership: Membership | undefined): ExpenseRelation {
  return { role: membership?.role, is_receiver: false, ...(membership?.stands_in ? { stands_in: true } : {}) }
}

/**
 * What the signed-in user is to an expense, as far as the page knows: whether it is theirs, beyond what they may approve, or waits for a
 * second look. Rules about tags, and who gave the second look, are left to the server, which decides everything again.
 */
export function relationTo(
  expense: Pick<Expense, 'receiver' | 'amount' | 'currency' | 'status' | 'occurred_at' | 'booked_on'>,
  membership: Membership | undefined,
  user_id: number | undefined,
): ExpenseRelation {
  const is_receiver = user_id === expense.receiver.id
  const kept_from = membership && [
    ...(is_receiver ? membership.own_kept_from : []),
    ...(isKeptFromApproval(expense, membership) ? keptUntilApproved(expense.status) : []),
  ]
  const is_closed = membership?.closed_months.includes(bookedMonth(expense)) === true
  return { ...relationIn(membership), is_receiver, ...(kept_from ? { kept_from } : {}), ...(is_closed ? { is_closed } : {}) }
}

function isKeptFromApproval(
  { amount, currency, status }: Pick<Expense, 'amount' | 'currency' | 'status'>,
  { authority, second_looks }: Membership,
): boolean {
  if (authority === null && second_looks.length === 0) return false
  const parsed = parseAmount(amount, currency)
  if (parsed.kind !== 'ok') return false
  const claimed = { amount_minor: parsed.amount_minor, currency, tag_ids: [] }
  const amounts = authority?.map((term) => ({ ...term, tag_ids: [] })) ?? null
  const isLookedAt = status === 'analyzed' || status === 'noncompliant' || status === 'approved'
  return !isWithin(amounts, claimed) || (!isLookedAt && needsSecondLook(second_looks, claimed))
}

function keptUntilApproved(status: ExpenseStatus): ExpenseStatus[] {
  return status === 'approved' ? ['approved'] : ['approved', 'liquidated']
}
