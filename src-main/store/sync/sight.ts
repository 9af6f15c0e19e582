import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Sight } from '#shared/records/definition'
import { findRecord } from '#shared/records/index'
import { participant } from '#shared/records/participant'
import { unindexed } from '../core/dialect'
import type { Audience } from './audience'

/** The condition that a column holds one of these ids. */
export const among = (column: RawBuilder<unknown>, ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(ids.map((id) => sql.lit(id)))})`
const is = (column: RawBuilder<unknown>, id: number): RawBuilder<SqlBool> => sql<SqlBool>`${column} = ${sql.lit(id)}`
const any = (conditions: ReadonlyArray<RawBuilder<SqlBool>>): RawBuilder<SqlBool> =>
  conditions.length === 1 ? sql<SqlBool>`${sql.join(conditions)}` : sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
const all = (conditions: ReadonlyArray<RawBuilder<SqlBool>>): RawBuilder<SqlBool> => sql<SqlBool>`(${sql.join(conditions, sql` and `)})`

/** The condition that an audience sees a row of a table, from its definition; the same on both sides of an exchange. */
export function sightOf(table: string, sights: readonly Sight[], audience: Audience): RawBuilder<SqlBool> {
  return any(sights.map((sight) => conditionOf(table, sight, audience)))
}

/** The condition that an audience sees a row of `expenses`. */
export function seenExpense(audience: Audience): RawBuilder<SqlBool> {
  return sightOf('expenses', findRecord('expenses')?.visible ?? [], audience)
}

function conditionOf(table: string, sight: Sight, audience: Audience): RawBuilder<SqlBool> {
  const { user_id } = audience
  const column = (name: string) => sql.ref(`${table}.${name}`)
  // The plus keeps SQLite from using an index.
  if ('in' in sight) return among(sight.isFilter ? sql`${unindexed}${column(sight.column)}` : column(sight.column), audience[sight.in])
  if ('own' in sight) return is(column(sight.own), user_id)
  if ('isGone' in sight) return sql<SqlBool>`${column('deleted_at')} is not null`
  if ('flagged' in sight) return is(column(sight.flagged), 1)
  if ('fellow' in sight) return isFellow(column(sight.fellow), audience)
  if ('all' in sight) return all(sight.all.map((one) => conditionOf(table, one, audience)))
  return 'isParticipant' in sight ? takesPart(table, audience) : seesParent(table, audience)
}

function isFellow(column: RawBuilder<unknown>, { user_id, member_of }: Audience): RawBuilder<SqlBool> {
  const fellow = sql<SqlBool>`exists (select 1 from memberships as fellow where fellow.user_id = ${column}
    and ${among(sql.ref('fellow.organization_id'), member_of)} and fellow.deleted_at is null)`
  return any([is(column, user_id), fellow])
}

function takesPart(table: string, { user_id, follows }: Audience): RawBuilder<SqlBool> {
  const [parent] = Object.entries(participant.references).find(([, { to }]) => to === table) ?? []
  if (parent === undefined) throw new Error(`Nobody takes part in ${table}.`)
  return sql<SqlBool>`${among(sql.ref(`${table}.payer_id`), follows)} and exists (select 1 from participants as followed
    where ${sql.ref(`followed.${parent}`)} = ${sql.ref(`${table}.id`)} and followed.user_id = ${sql.lit(user_id)}
    and followed.deleted_at is null)`
}

function seesParent(table: string, audience: Audience): RawBuilder<SqlBool> {
  const { parents = [], references = {} } = findRecord(table) ?? {}
  return any(
    parents.map((column) => {
      const parent = findRecord(references[column]?.to ?? '')
      if (!parent) throw new Error(`${table}.${column} names no record.`)
      return sql<SqlBool>`exists (select 1 from ${sql.table(parent.table)} where ${sql.ref(`${parent.table}.id`)} = ${sql.ref(`${table}.${column}`)}
        and ${sql.ref(`${parent.table}.deleted_at`)} is null and ${sightOf(parent.table, parent.visible, audience)})`
    }),
  )
}
