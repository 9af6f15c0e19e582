import type { Generated } from 'kysely'
import type { ColumnsOf } from '#shared/records/attributes'
import type { SharedRecord } from '#shared/records/index'

/** A truth value as SQLite's STRICT tables hold it. */
export type Flag = 0 | 1

/** What every record has: the contract's integer `id`, its identity `uid` (UUIDv7), a `version` that each change raises, UTC instants. */
export interface RecordColumns {
  id: Generated<number>
  uid: string
  version: Generated<number>
  created_at: string
  updated_at: string
  deleted_at: string | null
}

/** The one parent of a comment or a participant: exactly one of the three is set. */
interface FollowableColumns {
  expense_id: number | null
  advancement_id: number | null
  reimbursement_id: number | null
}

/** Columns that no attribute of the definition says, or not with this type. */
interface FurtherColumns {
  organizations: { expired_at: string | null }
  users: {
    first_name: string
    last_name: string
    /** Their language where the contract has no locale for it. */
    language: Generated<string | null>
  }
  user_emails: {
    /** When a mail server last said that there is no such address; nothing is sent there any more. */
    bounced_at: Generated<string | null>
  }
  user_notifications: { activity_id: number }
  tags: { name_key: string }
  policies: {
    /** All that it has said, as JSON of `PolicyVersion[]`. */
    versions: string
  }
  statement_lines: { name: string; corporative_card_id: number; external_id: string }
  statement_matches: { name: string; statement_line_id: number; expense_id: number }
  repeat_decisions: { expense_id: number; other_expense_id: number }
  distance_rules: {
    amount_minor: number
    /** The part of the rate below the minor unit, in millionths of the major unit. */
    amount_millionths: number
  }
  corporative_cards: {
    number_length: number
    number_last4: string
    number_hmac: string
    flag: string
    expiration_month: number
    expiration_year: number
  }
  pre_expenses: { tags: Generated<string>; extra_information: Generated<string> }
  reimbursements: { attachments_count: Generated<number> }
  advancements: { attachments_count: Generated<number> }
  expenses: { liquidate_through_advancement: Generated<Flag> }
  comments: FollowableColumns
  participants: FollowableColumns
  attachments: { expense_id: number; sha256: string; file_name: string; content_type: string; bytes: number; uploaded_at: string }
}

type Further<T extends string> = T extends keyof FurtherColumns ? FurtherColumns[T] : unknown
/** Addresses have no version and are never marked as deleted. */
type Identity<T extends string> = T extends 'user_emails' ? Pick<RecordColumns, 'id' | 'created_at'> : RecordColumns
type CountColumns<D> = D extends { readonly counts: readonly (infer N extends string)[] }
  ? { [C in N as `${C}_count`]: Generated<number> }
  : unknown
type OrganizationColumn<D> = D extends { readonly isInOrganization: true } ? { organization_id: number } : unknown

/** The tables of the records that replicas hold, from their definitions. */
export type RecordTables = {
  [D in SharedRecord as D['table']]: Identity<D['table']> &
    Omit<ColumnsOf<D['attributes']>, keyof Further<D['table']>> &
    CountColumns<D> &
    OrganizationColumn<D> &
    Further<D['table']>
}

type SharedLink = Extract<SharedRecord, { link: unknown }>['link']
/** The tables of pairs that belong to such records. */
export type LinkTables = { [L in SharedLink as L['table']]: { [C in L['owner' | 'column' | 'order']]: number } }
