import type { RecordTable } from '#db/schema'

/** Who acts and how: the audit trail stores it with every change. */
export interface Actor {
  readonly user_id: number
  /** The way in: 'api', 'batch', 'app', 'cli', 'sync'. */
  readonly origin: string
  readonly request_id: string | null
  /** The entity tag that the caller saw (`If-Match`): a write of a record that has changed since is refused. */
  readonly if_match: string | null
  /** The operation of a replica that is carried out. */
  readonly op_id?: string
}

/** The identity of a new record; without an id the database gives the next. */
export interface Identity {
  readonly id?: number
  readonly uid: string
}

/** Tables whose rows have a separate identity. */
export type MintedTable = RecordTable | 'activities'
