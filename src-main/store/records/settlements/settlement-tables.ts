import type { Row } from '#db/schema'
import { advancement } from '#shared/records/advancement'
import { reimbursement } from '#shared/records/reimbursement'

/** The two kinds of money that an organization pays to a user. Both have the same columns and tags. */
export type SettlementKind = 'reimbursement' | 'advancement'

/** A reimbursement or an advancement. */
export type Settlement = Row<'reimbursements' | 'advancements'>

/** The definitions of settlements of each kind. */
export const settlementRecords = { reimbursement, advancement } as const
/** The table of each kind of settlement. */
export const settlementTables = { reimbursement: 'reimbursements', advancement: 'advancements' } as const

/** Makes something for each kind of settlement. */
export function perSettlement<T>(make: (kind: SettlementKind) => T): Readonly<Record<SettlementKind, T>> {
  return { reimbursement: make('reimbursement'), advancement: make('advancement') }
}
