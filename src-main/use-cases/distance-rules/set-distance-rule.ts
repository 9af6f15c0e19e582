import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { distanceRuleRoutes } from '#shared/contract/distance-rules'
import { defaultDistanceRule } from '#shared/domain/distance'
import { findDistanceRule } from '#main/store/distance-rule-reader'
import { storeDistanceRule } from '#main/store/distance-rule-writer'
import type { Tx } from '#main/store/store'
import { toStoredAmount } from '../access/amounts'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'

/** The amount per unit of distance; what else is left out keeps its value. */
export type SetDistanceRule = z.output<typeof distanceRuleRoutes.set.body>

/** Sets the distance rule of an organization (contract 4.11: admins). Expenses that are there keep their price. Throws {@link Refused}. */
export async function setDistanceRule(tx: Tx, organization_id: number, input: SetDistanceRule): Promise<Row<'distance_rules'>> {
  await getManagedOrganization(tx, organization_id, 'distance_rules.write')
  const rule = await findDistanceRule(tx, organization_id)
  if (rule) assertFresh(tx, rule)
  const { currency, distance_kind } = { ...(rule ?? defaultDistanceRule), ...input }
  const { amount_minor } = toStoredAmount(input.amount, { currency, attribute: 'amount' })
  return storeDistanceRule(tx, organization_id, { amount_minor, currency, distance_kind })
}
