import type { Row } from '#db/schema'
import { type DistanceRuleRepresentation, distanceRuleRoutes } from '#shared/contract/distance-rules'
import { defaultDistanceRule, fromRate, ruleOn } from '#shared/domain/distance'
import { toInstant } from '#shared/domain/dates'
import { toShown } from '#shared/records/columns'
import { distanceRule as definition } from '#shared/records/distance-rule'
import { listDistanceRules } from '#main/store/records/organizations/distance-rules'
import { getVisibleOrganization } from '#main/use-cases/access/get-visible-organization'
import { etagOf } from '#main/use-cases/access/preconditions'
import { setDistanceRule } from '#main/use-cases/distance-rules/set-distance-rule'
import { type Endpoint, mutation, query } from '../endpoint'

/** The rule in the contract's form (2.15); the default if none is set. */
function toRule(organization_id: number, row: Row<'distance_rules'> | undefined): DistanceRuleRepresentation {
  const rule = row ?? { ...defaultDistanceRule, valid_from: null }
  const { id, uid, version } = row ?? { id: null, uid: null, version: null }
  return {
    id,
    uid,
    version,
    organization_id,
    amount: fromRate(rule),
    ...toShown(definition.attributes, { ...rule, organization_id }),
    valid_from: rule.valid_from?.slice(0, 10) ?? null,
  }
}

/** Distance rules (contract 4.11). */
export const distanceRuleEndpoints: Endpoint[] = [
  query(distanceRuleRoutes.list, async ({ reader, caller, deps }, { params: { organization_id }, query: { all } }) => {
    await getVisibleOrganization(reader, { id: organization_id, user_id: caller.user_id, action: 'distance_rules.read' })
    const rules = await listDistanceRules(reader, organization_id)
    const row = ruleOn(rules, toInstant(deps.clock.now()))
    const shown = all === true && rules.length > 0 ? rules : [row]
    return { body: shown.map((one) => toRule(organization_id, one)), etag: row && etagOf(row) }
  }),
  mutation(distanceRuleRoutes.set, async ({ tx }, { params: { organization_id }, body }) => {
    const row = await setDistanceRule(tx, organization_id, body)
    return { body: [toRule(organization_id, row)], etag: etagOf(row) }
  }),
]
