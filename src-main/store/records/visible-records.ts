import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type ListFilter, namedPayer } from '#shared/contract/filters'
import type { FollowableKind } from '#shared/contract/followables'
import type { Action } from '#shared/domain/permissions'
import { listOrganizationIdsOf, listOrganizationIdsWhere } from './organizations/membership-reader'
import type { Reader } from '../core/store'

/** Records with a payer and a receiver. `followed`: their kind of followable record, if users can take part in them. */
export interface PaidRecords {
  readonly table: 'expenses' | 'reimbursements' | 'advancements' | 'advancement_devolutions'
  readonly followed: FollowableKind | undefined
}

/** The action that reads each table; devolutions are read with their advancements. */
const readActions = {
  expenses: 'expenses.read',
  reimbursements: 'reimbursements.read',
  advancements: 'advancements.read',
  advancement_devolutions: 'advancements.read',
} as const satisfies Record<PaidRecords['table'], Action>

/** The ids of records that a user may see because they take part in them: in organizations that they have not left. */
export async function followedBy(reader: Reader, user_id: number, kind: FollowableKind): Promise<RawBuilder<{ id: number }>> {
  const payers = await listOrganizationIdsOf(reader, user_id, { action: `${kind}s.read`, is_participant: true })
  const [table, column] = [sql.table(`${kind}s`), sql.ref(`participants.${kind}_id`)]
  return sql`select ${sql.ref(`${kind}s.id`)} as id from participants join ${table} on ${sql.ref(`${kind}s.id`)} = ${column}
    where participants.user_id = ${user_id} and ${column} is not null and participants.deleted_at is null
    and ${sql.ref(`${kind}s.deleted_at`)} is null and ${sql.ref(`${kind}s.payer_id`)} in (${sql.join([0, ...payers])})`
}

/** Whether a record is in an organization that the user has not left, where holding a record lets them see it. */
export async function isHeldIn(
  reader: Reader,
  user_id: number,
  { action, organization }: { action: Action; organization: string },
): Promise<RawBuilder<SqlBool>> {
  const ids = await listOrganizationIdsOf(reader, user_id, { action, is_holder: true })
  return sql<SqlBool>`${sql.ref(organization)} in (${sql.join([0, ...ids])})`
}

/** Whether a user receives, or takes part in, records of other organizations. */
async function findElsewhere(
  { db }: Reader,
  { table }: PaidRecords,
  { user_id, reviewed, followed }: { user_id: number; reviewed: readonly number[]; followed: RawBuilder<unknown> | undefined },
): Promise<{ own: boolean; followed: boolean }> {
  const exists = async (conditions: RawBuilder<SqlBool>) => {
    const outside = sql`payer_id not in (${sql.join(reviewed.length > 0 ? reviewed : [0])})`
    const found = await sql`select id from ${sql.table(table)} where ${conditions} and ${outside} limit 1`.execute(db)
    return found.rows.length > 0
  }
  return {
    own: await exists(sql`receiver_id = ${user_id} and deleted_at is null`),
    followed: followed !== undefined && (await exists(sql`id in (${followed})`)),
  }
}

/**
 * The records that a user may see, as SQL: of organizations where they are analyst or above, their own, and those they take part in (supplement 2,
 * "Who sees"). Alternatives that cannot match are left out, so that one index serves the usual case.
 */
export async function visibleTo(
  reader: Reader,
  records: PaidRecords,
  { user_id, filter }: { user_id: number; filter: ListFilter },
): Promise<RawBuilder<SqlBool>[]> {
  const reviewed = await listOrganizationIdsWhere(reader, user_id, readActions[records.table])
  if (reviewed.some((id) => id === namedPayer(filter))) return []
  const followed = records.followed && (await followedBy(reader, user_id, records.followed))
  const elsewhere = await findElsewhere(reader, records, { user_id, reviewed, followed })
  const inReviewed = sql<SqlBool>`payer_id in (${sql.join(reviewed)})`
  const isOwn = sql<SqlBool>`receiver_id = ${user_id}`
  if (!elsewhere.own && !elsewhere.followed) return [reviewed.length > 0 ? inReviewed : sql<SqlBool>`${sql.ref(`${records.table}.id`)} = 0`]
  if (reviewed.length === 0 && !elsewhere.followed) return [isOwn]
  // Each alternative uses its own index; with OR it would be a scan.
  const table = sql.table(records.table)
  const alternatives = [...(reviewed.length > 0 ? [inReviewed] : []), ...(elsewhere.own ? [isOwn] : [])].map(
    (condition) => sql`select id from ${table} where ${condition} and deleted_at is null`,
  )
  const all = [...alternatives, ...(elsewhere.followed && followed ? [followed] : [])]
  return [sql<SqlBool>`${sql.ref(`${records.table}.id`)} in (${sql.join(all, sql` union all `)})`]
}
