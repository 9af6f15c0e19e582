import type { Attributes } from './attributes'

/**
 * How a write is sent from a replica to its remote (`src-main/sync/SPEC.md`, "Meaning").
 * - `add`: it adds or removes something of the person's own; nothing by others can conflict with it.
 * - `merge`: it changes attributes; each merge group separately.
 * - `conditional`: it depends on what the person saw, and is rejected if that has changed.
 * - `forward`: it contains a secret, or concerns the remote itself; it is sent at once, or not at all.
 * - `local`: it concerns this instance alone.
 */
export type SyncPolicy = 'add' | 'merge' | 'conditional' | 'forward' | 'local'

/** The definition of each kind of record, once. `docs/architecture.md`, "One definition per record". */

/** The organizations in which a role lets a user see something; `Audience` (`store/shared-records`) has their ids. */
type Circle = 'member_of' | 'follows' | 'holds' | 'reviews' | 'manages'

/** A condition on a row for a user to see it. */
export type Sight =
  /** The organization in `column` is in the circle. `isFilter`: not used to look up by index. */
  | { readonly in: Circle; readonly column: string; readonly isFilter?: true }
  /** The column has the user's id. */
  | { readonly own: string }
  /** The column has the id of the user, or of a member of one of their organizations. */
  | { readonly fellow: string }
  /** It is marked as deleted. */
  | { readonly isGone: true }
  /** The column is 1. */
  | { readonly flagged: string }
  /** The user takes part in the record, in an organization that shows participants their records. */
  | { readonly isParticipant: true }
  /** The user sees its parent record. */
  | { readonly seesParent: true }
  | { readonly all: readonly Sight[] }

/** A column with the id of a record. */
export interface Reference {
  readonly to: string
  /** What happens when that record is removed from a replica: by default this one is removed, too; `empty`: the column is cleared. */
  readonly whenGone?: 'empty'
  /** Its names in requests. */
  readonly writtenAs?: readonly string[]
}

/** A table of pairs that belongs to a record and is sent and removed with it, such as an expense's tags. */
export interface Link {
  readonly table: string
  /** The column with the record's id. */
  readonly owner: string
  /** The column with the other id, and its table. */
  readonly column: string
  readonly to: string
  /** The order of the pairs. */
  readonly order: string
  /** Whether users see only some of the pairs: see `store/seen-links`. */
  readonly isPartlySeen?: true
}

/** What a user gets of a hidden record that a visible one names: its name. */
interface NamedOnly {
  /** Columns that are sent unchanged. */
  readonly kept: readonly string[]
  /** Values of the other columns; null if not listed. */
  readonly rest?: Readonly<Record<string, string | number>>
  /** Columns with the user's own id instead. */
  readonly own?: readonly string[]
  /** Whether it is sent as deleted, so that it is in none of the user's lists. */
  readonly isDeleted?: true
}

/** The words for an operation on a record, and where the record is shown (`features/sync/operation-words`). */
interface Wording {
  /** The key below `operation` in the `sync` texts, with `new`, `edit` and `delete` below it. */
  readonly key: string
  /** What the text of a creating operation contains. */
  readonly tells: 'text' | 'money' | 'file'
}

/** One kind of record that replicas hold. */
export interface RecordDefinition {
  readonly table: string
  /** The audit trail's name of it; absent: it has no separate trail. */
  readonly subject?: string
  /** The path segments before its id, by which operations get their words. */
  readonly segments?: readonly string[]
  /** Whether its paths are below its organization's. */
  readonly isInOrganization?: true
  /** Its attributes by name, in the order in which changes are listed. */
  readonly attributes?: Attributes
  /** Columns with ids of other records that are not attributes' columns, or are special; without files. */
  readonly references: Readonly<Record<string, Reference>>
  /** Columns with a file's hash, without pictures. */
  readonly files?: readonly string[]
  readonly link?: Link
  /** The columns that name its parent; exactly one is set. */
  readonly parents?: readonly string[]
  /** What is counted of its dependent records, as columns `<name>_count`. */
  readonly counts?: readonly ('attachments' | 'comments' | 'activities')[]
  /** Who sees it: any of these conditions suffices. */
  readonly visible: readonly Sight[]
  /** The circle in whose organizations all of these records are visible; used for records that are no longer visible. */
  readonly seenIn?: Circle
  /** Who sees its entries in the audit trail, if not everyone who sees the record. */
  readonly trail?: Sight
  /** Whether some users get replaced columns: see `store/shared-columns`. */
  readonly isSharedInPart?: true
  /** Whether deleted ones are sent, too, to show that they existed. */
  readonly isShownDeleted?: true
  /** Whether it keeps its name as long as a local record refers to it. */
  readonly keepsName?: true
  readonly namedOnly?: NamedOnly
  /** How its writes are sent to the remote: all in one way, or by verb. */
  readonly sync: SyncPolicy | Readonly<Record<string, SyncPolicy>>
  /** The names of its routes before the verb, if not the table's. */
  readonly routes?: readonly string[]
  /** Whether decisions about money and status depend on its version. */
  readonly isGuarded?: true
  /** Whether replicas create it, with leased ids. */
  readonly isLeased?: true
  readonly wording?: Wording
  /** The path of the screen that shows it, before its id. */
  readonly screen?: string
}
