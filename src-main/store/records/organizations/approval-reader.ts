import type { Row } from '#db/schema'
import type { ApprovalRule } from '#shared/domain/duties'
import { fromListColumn } from '#shared/records/columns'
import { statement } from '../../core/statement'
import type { Reader } from '../../core/store'

const listRuleRows = statement<{ organization_id: number }, Row<'approval_rules'>>(
  (db, p) =>
    db
      .selectFrom('approval_rules')
      .selectAll()
      .where('organization_id', '=', p('organization_id'))
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id'),
  { isKept: true },
)
const listStandInRows = statement<{ organization_id: number }, Row<'stand_ins'>>(
  (db, p) =>
    db
      .selectFrom('stand_ins')
      .selectAll()
      .where('organization_id', '=', p('organization_id'))
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id'),
  { isKept: true },
)

/** The approval rules of an organization. */
export async function listApprovalRules(reader: Reader, organization_id: number): Promise<ApprovalRule[]> {
  const rows = await reader.all(listRuleRows, { organization_id })
  return rows.map(({ rule, amount_minor, currency, user_ids, tag_ids }) => ({
    rule,
    amount_minor,
    currency,
    user_ids: fromListColumn('users', user_ids).map(Number),
    tag_ids: fromListColumn('tags', tag_ids).map(Number),
  }))
}

/** The stand-ins of an organization, including past and future ones. */
export function listStandIns(reader: Reader, organization_id: number): Promise<Row<'stand_ins'>[]> {
  return reader.all(listStandInRows, { organization_id })
}
