import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { unindexed } from '../core/dialect'
import type { Audience } from './audience'
import { type SharedRecord, sharedRecords } from './shared-records'

const any = (conditions: ReadonlyArray<RawBuilder<SqlBool>>) => sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

/** Whether the audience sees the audit trail's entries about records of this kind. */
export function seesTrail({ trail, visible }: SharedRecord, audience: Audience): RawBuilder<SqlBool> {
  return (trail ?? visible)(audience)
}

/**
 * The condition for visible entries of the audit trail: those of visible records. The plus keeps SQLite from an index by subject: a page of the trail
 * is read in the order of ids, without collecting all entries first.
 */
export function visibleActivities(audience: Audience): RawBuilder<SqlBool> {
  const reviewed = sql.join([0, ...audience.reviews].map((id) => sql.lit(id)))
  return any(
    sharedRecords.flatMap((record) => {
      const { table, subject } = record
      if (subject === undefined) return []
      // Deleted records are visible only to reviewers.
      const isThere = sql`(${sql.ref(`${table}.deleted_at`)} is null or activities.organization_id in (${reviewed}))`
      return [
        sql<SqlBool>`(${unindexed}activities.subject_type = ${sql.lit(subject)} and exists (select 1 from ${sql.table(table)}
          where ${sql.ref(`${table}.id`)} = activities.subject_id and ${isThere} and ${seesTrail(record, audience)}))`,
      ]
    }),
  )
}
