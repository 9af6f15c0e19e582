import type { Row } from '#db/schema'
import { DomainError } from '#shared/domain/errors'
import { type Duty, listFree } from '#shared/domain/duties'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { isAtLeast } from '#shared/domain/roles'
import { listApprovers } from '#main/store/records/conversations/activity-reader'
import { listMembershipsIn } from '#main/store/records/organizations/membership-reader'
import { findOrganization } from '#main/store/records/organizations/organization-reader'
import { listUsersByIds } from '#main/store/records/users/user-reader'
import type { Reader, Tx } from '#main/store/core/store'

type Expense = Pick<Row<'expenses'>, 'id' | 'payer_id' | 'receiver_id' | 'author_id' | 'status'>

/** Which rule keeps a person from an act, and who may do it instead: ids of users. */
export interface KeptFrom {
  readonly rule: 'separate_approval' | 'separate_payment'
  readonly instead: readonly number[]
}

/** The moves of an expense that the duties of its organization keep a person from; most organizations separate none. */
export async function listKeptFrom(reader: Reader, expense: Expense, user_id: number): Promise<Map<ExpenseStatus, KeptFrom>> {
  const { organization, able } = await readDuties(reader, expense.payer_id)
  const kept = new Map<ExpenseStatus, KeptFrom>()
  const { receiver_id: beneficiary } = expense
  if (organization?.separate_payment === 1) {
    // Settling at once approves too: the same person would do both.
    const approver = expense.status === 'approved' ? (await listApprovers(reader, [expense.id])).get(expense.id) : user_id
    const instead = insteadOf({ able, beneficiary, involved: approver === undefined ? [] : [approver] }, user_id)
    if (instead) kept.set('liquidated', { rule: 'separate_payment', instead })
  }
  if (organization?.separate_approval === 1) {
    const instead = insteadOf({ able, beneficiary, involved: [expense.author_id] }, user_id)
    if (instead) {
      kept.set('approved', { rule: 'separate_approval', instead })
      if (expense.status !== 'approved') kept.set('liquidated', { rule: 'separate_approval', instead })
    }
  }
  return kept
}

/** Refuses a payment by someone who receives it, or who approved one of the expenses that it pays. Throws `forbidden`. */
export async function assertMayPay(
  tx: Tx,
  { payer_id, receiver_id, expense_ids }: { payer_id: number; receiver_id: number; expense_ids: readonly number[] },
): Promise<void> {
  const { organization, able } = await readDuties(tx, payer_id)
  if (organization?.separate_payment !== 1) return
  const approvers = [...(await listApprovers(tx, expense_ids)).values()]
  for (const involved of approvers.length === 0 ? [[]] : [...new Set(approvers)].map((id) => [id])) {
    const instead = insteadOf({ able, beneficiary: receiver_id, involved }, tx.actor.user_id)
    if (instead) throw await refusalOf(tx, { rule: 'separate_payment', instead })
  }
}

/** The statuses to which a person may not move what they themselves claim, for screens to know before the server is asked. */
export async function listOwnKeptFrom(reader: Reader, payer_id: number, user_id: number): Promise<ExpenseStatus[]> {
  const { organization, able } = await readDuties(reader, payer_id)
  const isKept = insteadOf({ able, beneficiary: user_id, involved: [] }, user_id) !== undefined
  if (!isKept) return []
  return [
    ...(organization?.separate_approval === 1 ? (['approved'] as const) : []),
    ...(organization?.separate_approval === 1 || organization?.separate_payment === 1 ? (['liquidated'] as const) : []),
  ]
}

/** The refusal in words: which rule it is, and who may act instead. */
export async function refusalOf(reader: Reader, { rule, instead }: KeptFrom): Promise<DomainError> {
  const named = await listUsersByIds(reader, instead.slice(0, 3))
  const people = named.map(({ first_name, last_name }) => `${first_name} ${last_name}`.trim()).join(', ')
  return new DomainError({ kind: 'forbidden', code: rule, params: { people } })
}

async function readDuties(reader: Reader, organization_id: number) {
  const organization = await findOrganization(reader, organization_id)
  const isSeparated = organization?.separate_approval === 1 || organization?.separate_payment === 1
  const members = isSeparated ? await listMembershipsIn(reader, organization_id) : []
  return { organization, able: members.filter(({ role }) => isAtLeast(role, 'manager')).map((member) => member.user_id) }
}

function insteadOf(duty: Duty, user_id: number): readonly number[] | undefined {
  const free = listFree(duty)
  return free.length === 0 || free.includes(user_id) ? undefined : free
}
