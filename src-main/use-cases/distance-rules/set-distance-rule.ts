import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { distanceRuleRoutes } from '#shared/contract/distance-rules'
import { type DistanceRule, defaultDistanceRule, parseRate, rateDecimals } from '#shared/domain/distance'
import { invalid } from '#shared/domain/errors'
import { toColumns } from '#shared/records/columns'
import { distanceRule } from '#shared/records/distance-rule'
import { findDistanceRule } from '#main/store/records/organizations/distance-rule-reader'
import { storeDistanceRule } from '#main/store/records/organizations/distance-rule-writer'
import type { Tx } from '#main/store/core/store'
import { assertCurrencyInUse } from '../access/amounts'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'

/** The amount per unit of distance; what else is left out keeps its value. */
export type SetDistanceRule = z.output<typeof distanceRuleRoutes.set.body>

/** Sets the distance rule of an organization (contract 4.11: admins). Expenses that are there keep their price. Throws {@link DomainError}. */
export async function setDistanceRule(tx: Tx, organization_id: number, input: SetDistanceRule): Promise<Row<'distance_rules'>> {
  await getManagedOrganization(tx, organization_id, 'distance_rules.write')
  const rule = await findDistanceRule(tx, organization_id)
  if (rule) assertFresh(tx, rule)
  const { currency, distance_kind } = { ...(rule ?? defaultDistanceRule), ...input }
  assertCurrencyInUse(currency, { kept: rule?.currency })
  const others = { ...toColumns(distanceRule.attributes, input), currency, distance_kind }
  return storeDistanceRule(tx, organization_id, { ...readRate(input.amount, currency), ...others })
}

function readRate(amount: number | string, currency: string): Pick<DistanceRule, 'amount_minor' | 'amount_millionths'> {
  const { kind, ...rate } = parseRate(typeof amount === 'string' ? amount.trim() : amount, currency)
  if ('amount_minor' in rate) return rate
  if (kind === 'not_positive') throw invalid('amount', 'greater_than', { limit: 0 })
  throw kind === 'too_precise' ? invalid('amount', 'too_precise_rate', { decimals: rateDecimals }) : invalid('amount', kind)
}
