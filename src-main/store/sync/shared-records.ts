import type { RawBuilder, SqlBool } from 'kysely'
import { type AnyRecord, type SharedLinkTable, type SharedRecordTable, type SharedSubject, records } from '#shared/records/index'
import type { Audience } from './audience'
import { type PlainRow, findSeenLinks } from './seen-links'
import { sightOf } from './sight'
import { type Told, findShared } from './shared-columns'

/** Rows that belong to a record and come and go with it. */
export interface Links {
  readonly table: SharedLinkTable
  readonly column: string
  /** The part of some records that an audience gets, if not all of them. */
  readonly rows?: (audience: Audience, owners: RawBuilder<unknown>) => RawBuilder<PlainRow>
}

/** One kind of record that replicas hold. */
export interface SharedRecord {
  readonly table: SharedRecordTable
  readonly visible: (audience: Audience) => RawBuilder<SqlBool>
  /** The organizations all of whose records of this kind the audience sees: one that left their sight was in it. */
  readonly seenIn?: (audience: Audience) => readonly number[]
  /** How the audit trail names it. */
  readonly subject?: SharedSubject
  /** Whether the audience sees its entries in the audit trail, where that is less than the record. */
  readonly trail?: (audience: Audience) => RawBuilder<SqlBool>
  readonly links?: Links
  /** Deleted ones still show that there was something. */
  readonly withDeleted: boolean
  /** Columns whose values are replaced for the audience, and their replacements. */
  readonly told?: (audience: Audience) => Told
}

/** Everything that replicas hold, parents before children, and who sees it: the same rules on both sides. */
export const sharedRecords: readonly SharedRecord[] = records.map(toShared)

function toShared({ table, subject, visible, trail, seenIn, link, isShownDeleted }: AnyRecord): SharedRecord {
  return {
    table,
    subject,
    visible: (audience) => sightOf(table, visible, audience),
    trail: trail && ((audience) => sightOf(table, [trail], audience)),
    seenIn: seenIn && ((audience) => audience[seenIn]),
    links: link && { table: link.table, column: link.owner, rows: findSeenLinks(link.table) },
    withDeleted: isShownDeleted ?? false,
    told: findShared(table),
  }
}

/** Tables in which replicas make records, and of which they lease ids; others are made at their remote. */
export const leasedTables: readonly SharedRecordTable[] = records.flatMap(({ table, isLeased }) => (isLeased ? [table] : []))

const leased: ReadonlySet<string> = new Set(leasedTables)

/** Whether replicas make records of a table, and lease ids of it; others are made at their remote. */
export function isMadeByReplicas(table: string): boolean {
  return leased.has(table)
}

const byTable = new Map<string, SharedRecord>(sharedRecords.map((record) => [record.table, record]))

/** What is known of a kind of record, if replicas hold it. */
export function findSharedRecord(table: string): SharedRecord | undefined {
  return byTable.get(table)
}
