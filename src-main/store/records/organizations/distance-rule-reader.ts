import { sql } from 'kysely'
import type { Row } from '#db/schema'
import { ruleOn } from '#shared/domain/distance'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const listRows = statement<{ organization_id: number }, Row<'distance_rules'>>((db, p) =>
  db
    .selectFrom('distance_rules')
    .selectAll()
    .where('organization_id', '=', p('organization_id'))
    .where('deleted_at', 'is', null)
    .orderBy(sql`coalesce(valid_from, '')`, 'desc')
    .orderBy('id', 'desc'),
)

/** An organization's distance rules, by last day, newest first; the rule for all days is last. */
export function listDistanceRules(reader: Reader, organization_id: number): Promise<readonly Row<'distance_rules'>[]> {
  return reader.all(listRows, { organization_id })
}

/** An organization's rule for trips on a day; undefined if the default applies (supplement 3, "Distance rule"). */
export async function findDistanceRule(reader: Reader, organization_id: number, day: string) {
  return ruleOn(await listDistanceRules(reader, organization_id), day)
}
