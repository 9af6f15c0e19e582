import type { QueryKey } from '@tanstack/react-query'
import type { ParentKind } from '#shared/contract/parents'
import { advancementKeys } from './advancements'
import { expenseKeys } from './expenses'
import { reimbursementKeys } from './reimbursements'

/** The parent of comments, participants and activities: one expense, reimbursement or advancement. */
export type Parent = { readonly kind: ParentKind; readonly id: number }

const keys = { expense: expenseKeys, reimbursement: reimbursementKeys, advancement: advancementKeys } as const

/** The query key of everything about the parent, and the record itself. */
export function parentKey({ kind, id }: Parent): QueryKey {
  return keys[kind].one(id)
}

/** The parent's id as its routes name it: `expense_id`. */
export function parentParams({ kind, id }: Parent): Record<string, number> {
  return { [`${kind}_id`]: id }
}
