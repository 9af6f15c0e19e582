import type { Row } from '#db/schema'
import {
  type Approval,
  type Deciders,
  type Duty,
  findApproval,
  listFree,
  needsSecondLook,
  standsInFor,
  wholeAuthorityOf,
} from '#shared/domain/duties'
import { DomainError, invalid } from '#shared/domain/errors'
import type { ExpenseRelation, ExpenseStatus } from '#shared/domain/expense-status'
import { fromMinor } from '#shared/domain/money'
import { isAtLeast } from '#shared/domain/roles'
import { type GivenApproval, findLooker, listApprovals } from '#main/store/records/conversations/activity-reader'
import { listTagIdsOf } from '#main/store/records/expenses/expense-flags'
import { listApprovalRules, listStandIns } from '#main/store/records/organizations/approval-reader'
import { listMembershipsIn } from '#main/store/records/organizations/membership-reader'
import { isInClosedMonth } from '#main/store/records/organizations/closed-months'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import type { Reader, Tx } from '#main/store/core/store'

type Expense = Pick<
  Row<'expenses'>,
  'id' | 'payer_id' | 'receiver_id' | 'author_id' | 'status' | 'amount_minor' | 'currency' | 'occurred_at' | 'booked_on'
>

/** The rule that stops a person, and the user ids of those who may act instead. `limit_minor`: the person's own limit, in the expense's currency. */
export interface KeptFrom {
  readonly rule: 'separate_approval' | 'separate_payment' | 'authority' | 'second_look'
  readonly instead: readonly number[]
  readonly limit?: { readonly limit_minor: number; readonly currency: string }
}

/** What a person may do with an expense: for whom they decide, and the moves that their duties forbid. */
export interface Mover {
  readonly relation: ExpenseRelation
  readonly kept: ReadonlyMap<ExpenseStatus, KeptFrom>
  /** The users for whom they would decide as a stand-in. `approved`: by whose authority they approve; empty if by their own. */
  readonly standsInFor: { readonly approved: readonly number[]; readonly others: readonly number[] }
}

const forNobody: Mover['standsInFor'] = { approved: [], others: [] }

/** The rules of an organization at an instant. */
interface Duties extends Omit<Deciders, 'members'> {
  readonly separatesPayment: boolean
}

async function readDuties(reader: Reader, organization_id: number, now: string): Promise<Duties> {
  const organization = await findOrganization(reader, organization_id)
  const stand_ins = await listStandIns(reader, organization_id)
  return {
    rules: await listApprovalRules(reader, organization_id),
    stand_ins: stand_ins.filter(({ starts_at, ends_at }) => starts_at <= now && now < ends_at),
    separate: organization?.separate_approval === 1,
    separatesPayment: organization?.separate_payment === 1,
  }
}

/** Whether nothing is forbidden to anyone, as in most organizations. */
function isFree({ rules, stand_ins, separate, separatesPayment }: Duties): boolean {
  return !separate && !separatesPayment && rules.length === 0 && stand_ins.length === 0
}

/** Who decides in an organization at an instant. */
export async function readDeciders(reader: Reader, organization_id: number, now: string): Promise<Duties & Deciders> {
  const duties = await readDuties(reader, organization_id, now)
  return { ...duties, members: await listMembershipsIn(reader, organization_id) }
}

/** Who may approve an expense now. */
export async function weighApproval(reader: Reader, expense: Expense, deciders: Deciders): Promise<Approval> {
  const { rules } = deciders
  const tag_ids = rules.some((rule) => rule.tag_ids.length > 0) ? await listTagIdsOf(reader, expense.id) : []
  const tagged = { ...expense, tag_ids }
  const isLookedAt = needsSecondLook(
    rules.filter(({ rule }) => rule === 'second_look'),
    tagged,
  )
  const looked_by = isLookedAt ? await findLooker(reader, expense.id) : undefined
  return findApproval(deciders, { ...tagged, ...(looked_by === undefined ? {} : { looked_by }) })
}

/** What the acting person may do with an expense under its organization's rules. `now`: a UTC instant. */
export async function weighMover(
  reader: Reader,
  { expense, relation, user_id, now }: { expense: Expense; relation: ExpenseRelation; user_id: number; now: string },
): Promise<Mover> {
  if (await isInClosedMonth(reader, expense)) return { relation: { ...relation, is_closed: true }, kept: new Map(), standsInFor: forNobody }
  const duties = await readDuties(reader, expense.payer_id, now)
  if (isFree(duties)) return { relation, kept: new Map(), standsInFor: forNobody }
  const deciders = { ...duties, members: await listMembershipsIn(reader, expense.payer_id) }
  const others = standsInFor(deciders, user_id)
  const stands_in = others.length > 0
  const kept = new Map<ExpenseStatus, KeptFrom>()
  const payment = await keptFromPayment(reader, { expense, deciders, user_id })
  if (payment) kept.set('liquidated', payment)
  const mayDecide = stands_in || isAtLeast(relation.role, 'manager')
  const approval = mayDecide ? await weighApproval(reader, expense, deciders) : undefined
  const keptFrom = approval && keptFromApproval(approval, { expense, deciders, user_id })
  if (keptFrom) {
    kept.set('approved', keptFrom)
    if (expense.status !== 'approved') kept.set('liquidated', keptFrom)
  }
  const approved = approval?.rightOf(user_id) ?? []
  return { relation: { ...relation, stands_in, kept_from: [...kept.keys()] }, kept, standsInFor: { approved, others } }
}

type Asked = { expense: Expense; deciders: Duties & Deciders; user_id: number }

function keptFromApproval({ approvers, lookers, keptBy }: Approval, { expense, deciders, user_id }: Asked): KeptFrom | undefined {
  const rule = keptBy(user_id)
  const others = [...lookers, ...approvers].filter((id) => id !== user_id)
  if (rule !== 'authority') return rule && { rule, instead: others }
  const { currency } = expense
  const terms = wholeAuthorityOf(deciders, user_id) ?? []
  const limits = terms.flatMap((term) => (term.currency === currency && term.amount_minor !== null ? [term.amount_minor] : []))
  const limit_minor = Math.max(...limits)
  // If the amount is within the limit, a tag is the reason.
  const isLimit = limits.length > 0 && expense.amount_minor > limit_minor
  return { rule, instead: others, ...(isLimit && { limit: { limit_minor, currency } }) }
}

async function keptFromPayment(reader: Reader, { expense, deciders, user_id }: Asked): Promise<KeptFrom | undefined> {
  if (!deciders.separatesPayment) return undefined
  // Settling at once also approves: the same person would do both.
  const approver = expense.status === 'approved' ? (await listApprovals(reader, [expense.id])).get(expense.id)?.user_id : user_id
  const involved = approver === undefined ? [] : [approver]
  const instead = insteadOf({ able: payersIn(deciders), beneficiary: expense.receiver_id, involved }, user_id)
  return instead && { rule: 'separate_payment', instead }
}

/** Throws {@link DomainError} unless the approvals of expenses to pay still hold: approvals from before changes withdrew them may not. */
export async function assertApprovalsHold(tx: Tx, expense_ids: readonly number[]): Promise<Map<number, GivenApproval>> {
  const approvals = await listApprovals(tx, expense_ids)
  const ids = [...approvals].flatMap(([id, { holds }]) => (holds ? [] : [id]))
  if (ids.length > 0) throw new DomainError({ kind: 'not_possible', code: 'approval_outlived', params: { ids: ids.join(', ') } })
  return approvals
}

/** Throws {@link DomainError} if expenses changed since their approval, or the payer receives the money or approved one of them. */
export async function assertMayPay(
  tx: Tx,
  { payer_id, receiver_id, expense_ids }: { payer_id: number; receiver_id: number; expense_ids: readonly number[] },
): Promise<void> {
  const approvals = await assertApprovalsHold(tx, expense_ids)
  if (!(await readDuties(tx, payer_id, tx.now)).separatesPayment) return
  const able = payersIn({ members: await listMembershipsIn(tx, payer_id) })
  const approvers = new Set([...approvals.values()].map(({ user_id }) => user_id))
  for (const involved of approvers.size === 0 ? [[]] : [...approvers].map((id) => [id])) {
    const instead = insteadOf({ able, beneficiary: receiver_id, involved }, tx.actor.user_id)
    if (instead) throw await refusalOf(tx, { rule: 'separate_payment', instead })
  }
}

/**
 * Throws `invalid` for a reimbursement above the approved amount of its expenses, where people approve or pay within limits (supplement 3, "Paying").
 */
export async function assertCovered(
  tx: Tx,
  { payer_id, amount_minor, currency }: { payer_id: number; amount_minor: number; currency: string },
  expenses: ReadonlyArray<Pick<Row<'expenses'>, 'approved_amount_minor'>>,
): Promise<void> {
  const { separatesPayment, rules } = await readDuties(tx, payer_id, tx.now)
  const approved = expenses.reduce((sum, { approved_amount_minor }) => sum + (approved_amount_minor ?? 0), 0)
  if ((separatesPayment || rules.length > 0) && amount_minor > approved)
    throw invalid('amount', 'above_approved', { approved: fromMinor(approved, currency), currency })
}

/** What a person may not do, so that screens know before the server is asked. */
export interface OwnDuties {
  /** The statuses to which they may not move their own expenses. */
  readonly own_kept_from: ExpenseStatus[]
  /** Whether they decide as someone's stand-in. */
  readonly stands_in: boolean
  /** What they may approve; null: everything. */
  readonly authority: ReturnType<typeof wholeAuthorityOf>
  /** The rules for decisions by two people. */
  readonly second_looks: Deciders['rules']
}

/** What a person may not do in an organization at an instant, for any expense. */
export async function readOwnDuties(
  reader: Reader,
  { payer_id, user_id, now }: { payer_id: number; user_id: number; now: string },
): Promise<OwnDuties> {
  const deciders = await readDeciders(reader, payer_id, now)
  const isKept = insteadOf({ able: payersIn(deciders), beneficiary: user_id, involved: [] }, user_id) !== undefined
  const isOwnPaymentKept = deciders.separate || deciders.separatesPayment
  const own_kept_from: ExpenseStatus[] = [
    ...(isKept && deciders.separate ? (['approved'] as const) : []),
    ...(isKept && isOwnPaymentKept ? (['liquidated'] as const) : []),
  ]
  const reviewers = deciders.members.filter(({ role }) => isAtLeast(role, 'analyst'))
  return {
    own_kept_from,
    stands_in: standsInFor(deciders, user_id).length > 0,
    authority: wholeAuthorityOf(deciders, user_id),
    second_looks: reviewers.length > 1 ? deciders.rules.filter(({ rule }) => rule === 'second_look') : [],
  }
}

/** The error for a rule, with the names of those who may act instead. */
export async function refusalOf(reader: Reader, { rule, instead, limit }: KeptFrom): Promise<DomainError> {
  const named = await listUsersByIds(reader, instead.slice(0, 3))
  const people = named.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim()).join(', ')
  const upTo = limit ? ` (${fromMinor(limit.limit_minor, limit.currency)} ${limit.currency})` : ''
  return new DomainError({ kind: 'forbidden', code: rule, params: { people, ...(rule === 'authority' && { limit: upTo }) } })
}

function payersIn({ members }: Pick<Deciders, 'members'>): number[] {
  return members.filter(({ role }) => isAtLeast(role, 'manager')).map((member) => member.user_id)
}

function insteadOf(duty: Duty, user_id: number): readonly number[] | undefined {
  const free = listFree(duty)
  return free.length === 0 || free.includes(user_id) ? undefined : free
}
