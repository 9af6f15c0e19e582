import type { RawBuilder, SqlBool } from 'kysely'
import { type AnyRecord, type SharedLinkTable, type SharedRecordTable, type SharedSubject, records } from '#shared/records/index'
import type { Audience } from './audience'
import { type PlainRow, findSeenLinks } from './seen-links'
import { sightOf } from './sight'
import { type Told, findShared } from './shared-columns'

/** Rows that belong to a record and are sent and removed with it. */
export interface Links {
  readonly table: SharedLinkTable
  readonly column: string
  /** The rows of some records that an audience gets, if not all of them. */
  readonly rows?: (audience: Audience, owners: RawBuilder<unknown>) => RawBuilder<PlainRow>
}

/** A kind of record that replicas hold. */
export interface SharedRecord {
  readonly table: SharedRecordTable
  readonly visible: (audience: Audience) => RawBuilder<SqlBool>
  /** The organizations in which the audience sees all records of this kind: a record that is no longer visible was in one of them. */
  readonly seenIn?: (audience: Audience) => readonly number[]
  /** The audit trail's name of it. */
  readonly subject?: SharedSubject
  /** Which entries of the audit trail the audience sees, if fewer than the record's. */
  readonly trail?: (audience: Audience) => RawBuilder<SqlBool>
  readonly links?: Links
  /** Whether deleted records are sent, too, to show that they existed. */
  readonly withDeleted: boolean
  /** Columns whose values are replaced for the audience. */
  readonly told?: (audience: Audience) => Told
}

/** All kinds of records that replicas hold, parents before children, and who sees them: the same rules on both sides. */
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

/** Tables in which replicas create records, and for which they lease ids. Others are created at the remote. */
export const leasedTables: readonly SharedRecordTable[] = records.flatMap(({ table, isLeased }) => (isLeased ? [table] : []))

const leased: ReadonlySet<string> = new Set(leasedTables)

/** Whether replicas create records of a table and lease ids for it. Others are created at the remote. */
export function isMadeByReplicas(table: string): boolean {
  return leased.has(table)
}

const byTable = new Map<string, SharedRecord>(sharedRecords.map((record) => [record.table, record]))

/** The definition of a kind of record; undefined if replicas do not hold it. */
export function findSharedRecord(table: string): SharedRecord | undefined {
  return byTable.get(table)
}
