import type { Row } from '#db/schema'
import type { ParentKind } from '#shared/contract/parents'
import { DomainError } from '#shared/domain/errors'
import type { Role } from '#shared/domain/roles'
import type { SubjectType } from '#main/store/records/conversations/new-activity'
import { findExpense } from '#main/store/records/expenses/expense-reader'
import { touchExpense } from '#main/store/records/expenses/expense-writer'
import type { ParentRef } from '#main/store/records/conversations/parent-columns'
import type { SettlementKind } from '#main/store/records/settlements/settlement-tables'
import { findSettlement } from '#main/store/records/settlements/settlement-reader'
import { touchSettlement } from '#main/store/records/settlements/settlement-writer'
import type { Reader, Tx } from '#main/store/core/store'
import { getVisibleExpense } from './get-visible-expense'
import { getVisibleSettlement } from './get-visible-settlement'

/** What comments, participants, mentionables and activities stand under. */
export interface Parent extends ParentRef {
  readonly deleted_at: string | null
}

/** A parent and the caller's role in its organization. */
export interface VisibleParent {
  readonly parent: Parent
  readonly role: Role | undefined
}

interface Key {
  readonly id: number
  readonly user_id: number
  readonly deleted?: boolean
}

interface ParentRules {
  readonly subject: SubjectType
  /** The parent, if the caller may see it; a deleted one only where `deleted` asks for it. */
  getVisible(reader: Reader, key: Key): Promise<VisibleParent>
  /** Raises its version, because a comment of it has changed. */
  touch(tx: Tx, id: number): Promise<void>
}

const parents: Readonly<Record<ParentKind, ParentRules>> = {
  expense: { subject: 'Expense', getVisible: getExpenseParent, touch: touchExpenseParent },
  advancement: rulesOfSettlement('advancement', 'Advancement'),
  reimbursement: rulesOfSettlement('reimbursement', 'Reimbursement'),
}

function rulesOfSettlement(kind: SettlementKind, subject: SubjectType): ParentRules {
  return {
    subject,
    getVisible: async (reader, key) => {
      const { settlement, relation } = await getVisibleSettlement(reader, kind, key)
      const { id, payer_id, receiver_id, deleted_at } = settlement
      return { parent: { kind, id, organization_id: payer_id, receiver_id, deleted_at }, role: relation.role }
    },
    touch: async (tx, id) => {
      const settlement = await findSettlement(tx, kind, id)
      if (!settlement) throw new Error('A comment has no parent.')
      await touchSettlement(tx, kind, settlement)
    },
  }
}

/** An expense as the parent of its comments and participants. */
export function toExpenseParent({ id, payer_id, receiver_id, deleted_at }: Row<'expenses'>): Parent {
  return { kind: 'expense', id, organization_id: payer_id, receiver_id, deleted_at }
}

async function getExpenseParent(reader: Reader, key: Key): Promise<VisibleParent> {
  const { expense, relation } = await getVisibleExpense(reader, key)
  return { parent: toExpenseParent(expense), role: relation.role }
}

async function touchExpenseParent(tx: Tx, id: number): Promise<void> {
  const expense = await findExpense(tx, id)
  if (!expense) throw new Error('A comment has no expense.')
  await touchExpense(tx, expense, 'comments')
}

/** The parent, if the caller may see it. Throws `not_found`. */
export function getVisibleParent(reader: Reader, kind: ParentKind, key: Omit<Key, 'deleted'>): Promise<VisibleParent> {
  return parents[kind].getVisible(reader, key)
}

/** The parent of comments: a deleted one is `gone` for users who could see it (contract 4.8, section 7). */
export async function getCommentParent(reader: Reader, kind: ParentKind, key: Omit<Key, 'deleted'>): Promise<VisibleParent> {
  const found = await parents[kind].getVisible(reader, { ...key, deleted: true })
  if (found.parent.deleted_at !== null) throw new DomainError({ kind: 'gone' })
  return found
}

/** The parent as the audit trail names it. */
export function toSubject({ kind, id }: Pick<Parent, 'kind' | 'id'>): { readonly type: SubjectType; readonly id: number } {
  return { type: parents[kind].subject, id }
}

/** Raises a parent's version, because a comment of it has changed. */
export function touchParent(tx: Tx, { kind, id }: Parent): Promise<void> {
  return parents[kind].touch(tx, id)
}
