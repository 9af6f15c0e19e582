import type { RecordTable } from '#db/schema'

/** Who acts and how; the audit trail stores it with every change. */
export interface Actor {
  readonly user_id: number
  /** How the request came in: 'api', 'batch', 'app', 'cli', 'sync'. */
  readonly origin: string
  readonly request_id: string | null
  /** The entity tag that the caller saw (`If-Match`). A write fails if the record has changed since. */
  readonly if_match: string | null
  /** The replica's operation that is being applied. */
  readonly op_id?: string
}

/** The identity of a new record. Without an id the database assigns the next one. */
export interface Identity {
  readonly id?: number
  readonly uid: string
}

/** Tables whose rows have a separate identity. */
export type MintedTable = RecordTable | 'activities'
