import type { Row } from '#db/schema'
import { advancement } from '#shared/records/advancement'
import { reimbursement } from '#shared/records/reimbursement'

/** The two kinds of money that an organization hands to one of its users: they have the same columns, and tags each. */
export type SettlementKind = 'reimbursement' | 'advancement'

/** A reimbursement or an advancement. */
export type Settlement = Row<'reimbursements' | 'advancements'>

/** The definitions of settlements of each kind. */
export const settlementRecords = { reimbursement, advancement } as const
/** Where settlements of a kind are kept. */
export const settlementTables = { reimbursement: 'reimbursements', advancement: 'advancements' } as const

/** Something for each kind of settlement. */
export function perSettlement<T>(make: (kind: SettlementKind) => T): Readonly<Record<SettlementKind, T>> {
  return { reimbursement: make('reimbursement'), advancement: make('advancement') }
}
