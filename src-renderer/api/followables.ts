import type { QueryKey } from '@tanstack/react-query'
import type { FollowableKind } from '#shared/contract/followables'
import { advancementKeys } from './advancements'
import { expenseKeys } from './expenses'
import { reimbursementKeys } from './reimbursements'

/** The followable record of comments, participants and activities: one expense, reimbursement or advancement. */
export type Followable = { readonly kind: FollowableKind; readonly id: number }

const keys = { expense: expenseKeys, reimbursement: reimbursementKeys, advancement: advancementKeys } as const

/** The query key of everything about the followable record, and the record itself. */
export function followableKey({ kind, id }: Followable): QueryKey {
  return keys[kind].one(id)
}

/** The followable record's id as its routes name it: `expense_id`. */
export function followableParams({ kind, id }: Followable): Record<string, number> {
  return { [`${kind}_id`]: id }
}
