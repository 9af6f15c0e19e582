import type { Row } from '#db/schema'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const findRow = statement<{ organization_id: number }, Row<'distance_rules'>>((db, p) =>
  db.selectFrom('distance_rules').selectAll().where('organization_id', '=', p('organization_id')).where('deleted_at', 'is', null),
)

/** The rule that an organization has set; undefined: the default holds (supplement 3, "Distance rule"). */
export function findDistanceRule(reader: Reader, organization_id: number) {
  return reader.first(findRow, { organization_id })
}
