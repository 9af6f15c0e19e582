import { type SettlementKind, findSettlement } from '#main/store/records/settlements/settlements'
import { findDevolution } from '#main/store/records/settlements/devolutions'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { findStatementLine } from '#main/store/records/organizations/statement-reader'
import type { Activity } from '#main/store/records/conversations/activity-reader'
import type { FollowableKind } from '#shared/contract/followables'
import type { Reader } from '#main/store/core/store'

/** The money of an activity: an expense, advancement, reimbursement, devolution or card line. */
export interface NotifiedItem {
  /** Undefined for a devolution and a card line, which have no participants. */
  readonly followable: FollowableKind | undefined
  readonly id: number
  readonly organization_id: number
  readonly receiver_id: number
  /** Its responsible user and its author. */
  readonly responsible_ids: readonly number[]
  readonly description: string | null
  readonly amount_minor: number
  readonly currency: string
}

const settlementKinds: Readonly<Record<string, SettlementKind>> = { Reimbursement: 'reimbursement', Advancement: 'advancement' }

/** The money of an activity, even if deleted; undefined for other subjects. An approved amount replaces the claimed one. */
export async function findNotifiedItem(
  reader: Reader,
  { subject_type, subject_id }: Pick<Activity, 'subject_type' | 'subject_id'>,
): Promise<NotifiedItem | undefined> {
  if (subject_type === 'Expense') return findExpenseItem(reader, subject_id)
  if (subject_type === 'StatementLine') return findLineItem(reader, subject_id)
  const kind = settlementKinds[subject_type]
  if (kind === undefined && subject_type !== 'AdvancementDevolution') return undefined
  const settlement = kind && (await findSettlement(reader, kind, subject_id))
  const row = kind ? settlement : await findDevolution(reader, subject_id)
  if (!row) return undefined
  const { id, payer_id, receiver_id, responsible_user_id, amount_minor, currency } = row
  const description = settlement?.description ?? null
  const item = { id, organization_id: payer_id, receiver_id, responsible_ids: [responsible_user_id], description }
  return { ...item, followable: kind, amount_minor, currency }
}

async function findLineItem(reader: Reader, line_id: number): Promise<NotifiedItem | undefined> {
  const row = await findStatementLine(reader, line_id)
  if (!row) return undefined
  const { id, organization_id, user_id: receiver_id, name: description, amount_minor, currency } = row
  return { followable: undefined, id, organization_id, receiver_id, responsible_ids: [], description, amount_minor, currency }
}

async function findExpenseItem(reader: Reader, expense_id: number): Promise<NotifiedItem | undefined> {
  const row = await findExpense(reader, expense_id)
  if (!row) return undefined
  const { id, payer_id, receiver_id, author_id, responsible_user_id, description } = row
  const { approved_amount_minor, approved_amount_currency, amount_minor, currency } = row
  return {
    followable: 'expense',
    id,
    organization_id: payer_id,
    receiver_id,
    responsible_ids: [author_id, ...(responsible_user_id === null ? [] : [responsible_user_id])],
    description,
    ...(approved_amount_minor !== null && approved_amount_currency !== null
      ? { amount_minor: approved_amount_minor, currency: approved_amount_currency }
      : { amount_minor, currency }),
  }
}
