import type { Row } from '#db/schema'
import { type DistanceRule, fromRate } from '#shared/domain/distance'
import { recordActivity } from '../conversations/activity-writer'
import { toActivityDetails } from '../conversations/activity-details'
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
  const before = row ? plain(row) : { amount: null, currency: null, distance_kind: null }
  const changed = toActivityDetails<Plain, keyof Plain>(before, plain(stored), ['amount', 'currency', 'distance_kind'])
  const details = changed.map((detail) => (detail.attribute === 'amount' ? { ...detail, currency: stored.currency } : detail))
  if (details.length > 0)
    await recordActivity(tx, {
      organization_id,
      subject: { type: 'Organization', id: organization_id },
      event: 'distance_rule_updated',
      details,
    })
  return stored
}

type Plain = { [K in 'amount' | 'currency' | 'distance_kind']: string | number | null }

/** Its attributes as the audit trail shows them, the amount in major units. */
function plain(rule: DistanceRule): Plain {
  const { currency, distance_kind } = rule
  return { amount: fromRate(rule), currency, distance_kind }
}
