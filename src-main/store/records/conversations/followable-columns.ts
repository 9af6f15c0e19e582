import type { FollowableKind } from '#shared/contract/followables'
import { participant } from '#shared/records/participant'

/** The expense, advancement or reimbursement that a comment or a participant belongs to. */
export interface FollowableRef {
  readonly kind: FollowableKind
  readonly id: number
  /** The payer. */
  readonly organization_id: number
  readonly receiver_id: number
}

/** The foreign keys of a row that belongs to a followable record: exactly one is set. */
export function followableColumns({ kind, id }: FollowableRef) {
  const of = (one: FollowableKind) => (one === kind ? id : null)
  return { expense_id: of('expense'), advancement_id: of('advancement'), reimbursement_id: of('reimbursement') }
}

/** Makes something for each kind of followable record from the column that refers to it. */
export function perFollowable<T>(make: (column: `${FollowableKind}_id`) => T): Readonly<Record<FollowableKind, T>> {
  return { expense: make('expense_id'), advancement: make('advancement_id'), reimbursement: make('reimbursement_id') }
}

/** The tables of followable records, by the column that refers to them. */
export const followableTables: ReadonlyMap<string, string> = new Map(
  participant.parents.map((column) => [column, participant.references[column].to]),
)
