import type { Flag } from '#db/record-tables'
import type { Row } from '#db/schema'
import { isInReview } from '#shared/domain/accountability-status'
import { DomainError } from '#shared/domain/errors'
import { holdsDecision } from '#shared/domain/expense-status'
import { fromMinor } from '#shared/domain/money'
import { attributesWith } from '#shared/records/attributes'
import { columnsOf } from '#shared/records/columns'
import { expense as definition } from '#shared/records/expense'
import type { ActivityDetail } from '#main/store/records/conversations/activity-details'
import { updateExpense } from '#main/store/records/expenses/expense-writer'
import { listAccountabilityStatusesOf } from '#main/store/records/settlements/accountability-reader'
import { listApprovalRules } from '#main/store/records/organizations/approval-reader'
import { listPolicies } from '#main/store/records/organizations/policy-reader'
import type { Changes } from '#main/store/core/record-writer'
import type { Reader, Tx } from '#main/store/core/store'

type Expense = Row<'expenses'>

/** An expense without an approved amount. */
export const unapproved = { approved_amount_minor: null, approved_amount_scaled: null, approved_amount_currency: null }

/** The values of an expense without a decision. */
const undecided = { status: 'awaiting_analysis', ignore_noncompliant: null, ...unapproved } as const satisfies Changes<'expenses'>

const decidedColumns = attributesWith(definition.attributes, 'isDecided').flatMap(([name, attribute]) => columnsOf(name, attribute))

/** Whether changes concern what was decided about an expense, without its tags. */
export function changesDecided(before: Expense, after: Expense): boolean {
  const [old, now]: Array<Readonly<Record<string, unknown>>> = [before, after]
  return decidedColumns.some((column) => old?.[column] !== now?.[column])
}

/** Whether an approval rule or a policy of an organization names one of these tags. */
export async function isRuledTag(reader: Reader, organization_id: number, tag_ids: readonly number[]): Promise<boolean> {
  if (tag_ids.length === 0) return false
  const rules = await listApprovalRules(reader, organization_id)
  const policies = await listPolicies(reader, organization_id)
  const named = new Set([...rules, ...policies.flatMap(({ versions }) => versions)].flatMap((one) => one.tag_ids))
  return tag_ids.some((id) => named.has(id))
}

/**
 * The changes that withdraw a decision about an expense, empty if there was none: a decision applies only to what was decided (supplement 3). Throws
 * {@link DomainError} while the expense is in an accountability in review.
 */
export async function takeBackDecision(tx: Tx, { id, status }: Expense): Promise<Changes<'expenses'>> {
  if (!holdsDecision(status)) return {}
  if ((await listAccountabilityStatusesOf(tx, id)).some(isInReview))
    throw new DomainError({ kind: 'not_possible', code: 'decided_in_review' })
  return undecided
}

/** Withdraws the decision about an expense after its receipts changed; returns the trail's details. */
export async function takeBackForReceipts(tx: Tx, before: Expense, expense: Expense): Promise<ActivityDetail[]> {
  const changes = await takeBackDecision(tx, before)
  return Object.keys(changes).length === 0 ? [] : decisionDetails(before, await updateExpense(tx, expense, { changes }))
}

/** The differences of a decision, for the audit trail. */
export function decisionDetails(before: Expense, after: Expense): ActivityDetail[] {
  const truth = (flag: Flag | null) => (flag === null ? null : flag === 1)
  const details = approvalDetailsOf(before, after)
  if (before.status !== after.status) details.unshift({ attribute: 'status', from: before.status, to: after.status })
  if (before.responsible_user_id !== after.responsible_user_id)
    details.push({ attribute: 'responsible_user_id', from: before.responsible_user_id, to: after.responsible_user_id })
  if (before.ignore_noncompliant !== after.ignore_noncompliant)
    details.push({ attribute: 'ignore_noncompliant', from: truth(before.ignore_noncompliant), to: truth(after.ignore_noncompliant) })
  return details
}

function approvalDetailsOf(before: Expense, after: Expense): ActivityDetail[] {
  const amountOf = ({ approved_amount_minor: minor, approved_amount_currency: currency }: Expense) =>
    minor === null || currency === null ? null : fromMinor(minor, currency)
  const [from, to] = [before.approved_amount_currency, after.approved_amount_currency]
  if (before.approved_amount_minor === after.approved_amount_minor && from === to) return []
  const amount = { attribute: 'approved_amount', from: amountOf(before), to: amountOf(after) } as const
  if (from === to) return [to === null ? amount : { ...amount, currency: to }]
  return [amount, { attribute: 'approved_amount_currency', from, to }]
}
