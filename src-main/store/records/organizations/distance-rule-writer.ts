import type { Row } from '#db/schema'
import { type DistanceRule, fromRate } from '#shared/domain/distance'
import { distanceRule as definition } from '#shared/records/distance-rule'
import { recordActivity } from '../conversations/activity-writer'
import { writtenDetails } from '../conversations/activity-details'
import { findDistanceRule } from './distance-rule-reader'
import { insertRecord, updateRecord } from '../../core/record-writer'
import type { Tx } from '../../core/store'

/** Stores the distance rule of an organization, its first or another. */
export async function storeDistanceRule(tx: Tx, organization_id: number, rule: DistanceRule): Promise<Row<'distance_rules'>> {
  const row = await findDistanceRule(tx, organization_id)
  const scope = { organization_id }
  const stored = row
    ? await updateRecord(tx, 'distance_rules', { row, changes: rule, scope })
    : await insertRecord(tx, 'distance_rules', { values: { organization_id, ...rule }, scope })
  const [from, to] = [row ? fromRate(row) : null, fromRate(stored)]
  const amount = from === to ? [] : [{ attribute: 'amount', from, to, currency: stored.currency } as const]
  const details = [...amount, ...writtenDetails(definition.attributes, row ?? {}, stored)]
  if (details.length > 0)
    await recordActivity(tx, {
      organization_id,
      subject: { type: 'Organization', id: organization_id },
      event: 'distance_rule_updated',
      details,
    })
  return stored
}
