import type { ParentKind } from '#shared/contract/parents'
import { participant } from '#shared/records/participant'

/** The expense, advancement or reimbursement that a comment or a participant belongs to. */
export interface ParentRef {
  readonly kind: ParentKind
  readonly id: number
  /** Its payer. */
  readonly organization_id: number
  readonly receiver_id: number
}

/** The foreign keys of a row that belongs to a parent: exactly one is set. */
export function parentColumns({ kind, id }: ParentRef) {
  const of = (one: ParentKind) => (one === kind ? id : null)
  return { expense_id: of('expense'), advancement_id: of('advancement'), reimbursement_id: of('reimbursement') }
}

/** Something for each kind of parent, made from the column that refers to it. */
export function perParent<T>(make: (column: `${ParentKind}_id`) => T): Readonly<Record<ParentKind, T>> {
  return { expense: make('expense_id'), advancement: make('advancement_id'), reimbursement: make('reimbursement_id') }
}

/** The tables of parents, by the column that names them. */
export const parentTables: ReadonlyMap<string, string> = new Map(
  participant.parents.map((column) => [column, participant.references[column].to]),
)
