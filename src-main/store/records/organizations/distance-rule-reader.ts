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

/** The rules that an organization has set, the one of the last day first, the one for all days last. */
export function listDistanceRules(reader: Reader, organization_id: number): Promise<readonly Row<'distance_rules'>[]> {
  return reader.all(listRows, { organization_id })
}

/** The rule that an organization has set for trips of a day; undefined: the default holds (supplement 3, "Distance rule"). */
export async function findDistanceRule(reader: Reader, organization_id: number, day: string) {
  return ruleOn(await listDistanceRules(reader, organization_id), day)
}
