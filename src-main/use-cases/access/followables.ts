import type { Row } from '#db/schema'
import type { FollowableKind } from '#shared/contract/followables'
import { DomainError } from '#shared/domain/errors'
import type { Role } from '#shared/domain/roles'
import type { SubjectType } from '#main/store/records/conversations/activity-details'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { touchExpense } from '#main/store/records/expenses/expense-writer'
import type { FollowableRef } from '#main/store/records/conversations/followable-columns'
import { type SettlementKind, findSettlement, touchSettlement } from '#main/store/records/settlements/settlements'
import type { Reader, Tx } from '#main/store/core/store'
import { getVisibleExpense } from './get-visible-expense'
import { getVisibleSettlement } from './get-visible-settlement'

/** The record of comments, participants, mentionables and activities. */
export interface Followable extends FollowableRef {
  readonly deleted_at: string | null
}

/** A followable and the caller's role in its organization. */
export interface VisibleFollowable {
  readonly followable: Followable
  readonly role: Role | undefined
}

interface Key {
  readonly id: number
  readonly user_id: number
  readonly deleted?: boolean
}

interface FollowableRules {
  readonly subject: SubjectType
  /** The followable record, if the caller may see it; a deleted one only if `deleted` is set. */
  getVisible(reader: Reader, key: Key): Promise<VisibleFollowable>
  /** Raises its version after one of its comments changed. */
  touch(tx: Tx, id: number): Promise<void>
}

const followables: Readonly<Record<FollowableKind, FollowableRules>> = {
  expense: { subject: 'Expense', getVisible: getFollowableExpense, touch: touchExpenseOf },
  advancement: rulesOfSettlement('advancement', 'Advancement'),
  reimbursement: rulesOfSettlement('reimbursement', 'Reimbursement'),
}

function rulesOfSettlement(kind: SettlementKind, subject: SubjectType): FollowableRules {
  return {
    subject,
    getVisible: async (reader, key) => {
      const { settlement, relation } = await getVisibleSettlement(reader, kind, key)
      const { id, payer_id, receiver_id, deleted_at } = settlement
      return { followable: { kind, id, organization_id: payer_id, receiver_id, deleted_at }, role: relation.role }
    },
    touch: async (tx, id) => {
      const settlement = await findSettlement(tx, kind, id)
      if (!settlement) throw new Error('A comment has no followable.')
      await touchSettlement(tx, kind, settlement)
    },
  }
}

/** An expense as a followable record. */
export function toFollowableExpense({ id, payer_id, receiver_id, deleted_at }: Row<'expenses'>): Followable {
  return { kind: 'expense', id, organization_id: payer_id, receiver_id, deleted_at }
}

async function getFollowableExpense(reader: Reader, key: Key): Promise<VisibleFollowable> {
  const { expense, relation } = await getVisibleExpense(reader, key)
  return { followable: toFollowableExpense(expense), role: relation.role }
}

async function touchExpenseOf(tx: Tx, id: number): Promise<void> {
  const expense = await findExpense(tx, id)
  if (!expense) throw new Error('A comment has no expense.')
  await touchExpense(tx, expense, 'comments')
}

/** The followable record, if the caller may see it. Throws `not_found`. */
export function getVisibleFollowable(reader: Reader, kind: FollowableKind, key: Omit<Key, 'deleted'>): Promise<VisibleFollowable> {
  return followables[kind].getVisible(reader, key)
}

/** The followable record of comments. A deleted one is `gone` for users who could see it (contract 4.8, section 7). */
export async function getCommentedRecord(reader: Reader, kind: FollowableKind, key: Omit<Key, 'deleted'>): Promise<VisibleFollowable> {
  const found = await followables[kind].getVisible(reader, { ...key, deleted: true })
  if (found.followable.deleted_at !== null) throw new DomainError({ kind: 'gone' })
  return found
}

/** The followable record as a subject of the audit trail. */
export function toSubject({ kind, id }: Pick<Followable, 'kind' | 'id'>): { readonly type: SubjectType; readonly id: number } {
  return { type: followables[kind].subject, id }
}

/** Raises a followable record's version after one of its comments changed. */
export function touchFollowable(tx: Tx, { kind, id }: Followable): Promise<void> {
  return followables[kind].touch(tx, id)
}
