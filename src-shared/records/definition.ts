import type { Attributes } from '#shared/records/attributes'
import type { SyncPolicy } from '#shared/records/sync-policy'

/** What is said of each kind of record, once. `docs/architecture.md`, "One definition per record". */

/** The organizations in which a role lets a user see something; `Audience` (`store/shared-records`) holds their ids. */
export type Circle = 'member_of' | 'follows' | 'holds' | 'reviews' | 'manages'

/** A condition on a row under which a user sees it. */
export type Sight =
  /** The organization in `column` is in the circle. `isFilter`: no index is looked up by it. */
  | { readonly in: Circle; readonly column: string; readonly isFilter?: true }
  /** The column holds the user's id. */
  | { readonly own: string }
  /** The column holds the id of the user, or of a member of one of their organizations. */
  | { readonly fellow: string }
  /** It is marked as deleted. */
  | { readonly isGone: true }
  /** The column holds 1. */
  | { readonly flagged: string }
  /** The user takes part in the record, in an organization that shows participants their records. */
  | { readonly isParticipant: true }
  /** The user sees the record that it hangs on. */
  | { readonly seesParent: true }
  | { readonly all: readonly Sight[] }

/** A column that holds the id of a record. */
export interface Reference {
  readonly to: string
  /** When that record is taken off a replica: this one goes too (usual), or the column is emptied. */
  readonly whenGone?: 'empty'
  /** The names under which requests write it. */
  readonly writtenAs?: readonly string[]
}

/** A table of pairs that belongs to a record and comes and goes with it, such as the tags of an expense. */
export interface Link {
  readonly table: string
  /** The column of the record. */
  readonly owner: string
  /** The column of the other one, and whose ids it holds. */
  readonly column: string
  readonly to: string
  /** What the pairs are ordered by. */
  readonly order: string
  /** Users see only some of the pairs: `store/seen-links` says which. */
  readonly isPartlySeen?: true
}

/** What a user gets of a hidden record that a visible one names: its name. */
export interface NamedOnly {
  /** Columns told unchanged. */
  readonly kept: readonly string[]
  /** What replaces the other columns; null for those that are not listed. */
  readonly rest?: Readonly<Record<string, string | number>>
  /** Columns that contain the user's own id instead. */
  readonly own?: readonly string[]
  /** It is sent as deleted: it is in no list of theirs. */
  readonly isDeleted?: true
}

/** How an operation on a record is worded and where the record is shown (`features/sync/operation-words`). */
export interface Wording {
  /** The key below `operation` in the `sync` texts; below that `new`, `edit` and `delete`. */
  readonly key: string
  /** What an operation that creates one says of it. */
  readonly tells: 'text' | 'money' | 'file'
}

/** One kind of record that replicas hold. */
export interface RecordDefinition {
  readonly table: string
  /** What the audit trail calls it; none: it has no separate trail. */
  readonly subject?: string
  /** The segments of its paths before its id; operations are put into words by them. */
  readonly segments?: readonly string[]
  /** Its paths are below that of its organization. */
  readonly isInOrganization?: true
  /** Its attributes by name, in the order in which changes are listed. */
  readonly attributes?: Attributes
  /** The columns that hold ids of other records, files aside, and are not those of an attribute, or of one in an unusual way. */
  readonly references: Readonly<Record<string, Reference>>
  /** The columns that hold the hash of a file, pictures aside. */
  readonly files?: readonly string[]
  readonly link?: Link
  /** Several columns name what it hangs on; one of them is set. */
  readonly parents?: readonly string[]
  /** What is counted of what hangs on it, as columns `<name>_count`. */
  readonly counts?: readonly ('attachments' | 'comments' | 'activities')[]
  /** Who sees it: any of these. */
  readonly visible: readonly Sight[]
  /** The circle in whose organizations all of these records are seen: one that left was seen before. */
  readonly seenIn?: Circle
  /** Who sees its entries in the audit trail, where that is not who sees the record. */
  readonly trail?: Sight
  /** Some users get replacements of some columns: `store/shared-columns` says which. */
  readonly isSharedInPart?: true
  /** Deleted ones still show that there was something. */
  readonly isShownDeleted?: true
  /** It never goes as long as a record here names it: it keeps its name. */
  readonly keepsName?: true
  readonly namedOnly?: NamedOnly
  /** How its writes are carried to the remote: all in one way, or by verb. */
  readonly sync: SyncPolicy | Readonly<Record<string, SyncPolicy>>
  /** The names of its routes before the verb, where that is not the table's. */
  readonly routes?: readonly string[]
  /** Decisions about money and status depend on its version. */
  readonly isGuarded?: true
  /** Replicas create it, with ids that they lease. */
  readonly isLeased?: true
  readonly wording?: Wording
  /** The screen that shows it, before its id. */
  readonly screen?: string
}
