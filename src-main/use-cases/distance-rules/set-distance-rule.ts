import type { z } from 'zod'
import type { Row } from '#db/schema'
import type { distanceRuleRoutes } from '#shared/contract/distance-rules'
import { type DistanceRule, defaultDistanceRule, parseRate, rateDecimals, ruleOn } from '#shared/domain/distance'
import { invalid } from '#shared/domain/errors'
import { toColumns } from '#shared/records/columns'
import { distanceRule } from '#shared/records/distance-rule'
import { listDistanceRules, storeDistanceRule } from '#main/store/records/organizations/distance-rules'
import type { Tx } from '#main/store/core/store'
import { assertCurrencyInUse } from '../access/amounts'
import { getManagedOrganization } from '../access/get-visible-organization'
import { assertFresh } from '../access/preconditions'

/** The amount per unit of distance; other absent attributes stay. */
export type SetDistanceRule = z.output<typeof distanceRuleRoutes.set.body>

/**
 * Sets an organization's distance rule (contract 4.11: admins): from a day on, or for all days, which ends rules with a day. Existing expenses keep
 * their price. Throws {@link DomainError}.
 */
export async function setDistanceRule(tx: Tx, organization_id: number, input: SetDistanceRule): Promise<Row<'distance_rules'>> {
  await getManagedOrganization(tx, organization_id, 'distance_rules.write')
  const rules = await listDistanceRules(tx, organization_id)
  const valid_from = input.valid_from ? toDay(input.valid_from) : null
  const row = rules.find((rule) => rule.valid_from === valid_from)
  const before = row ?? ruleOn(rules, valid_from ?? tx.now)
  if (before) await assertFresh(tx, before)
  const { currency, distance_kind } = { ...(before ?? defaultDistanceRule), ...input }
  assertCurrencyInUse(currency, { kept: before?.currency })
  const others = { ...toColumns(distanceRule.attributes, input), currency, distance_kind, valid_from }
  return storeDistanceRule(tx, organization_id, {
    rule: { ...readRate(input.amount, currency), ...others },
    row,
    ended: valid_from === null ? rules.filter((rule) => rule !== row) : [],
  })
}

function toDay(instant: string): string {
  return `${instant.slice(0, 10)}T00:00:00Z`
}

function readRate(amount: number | string, currency: string): Pick<DistanceRule, 'amount_minor' | 'amount_millionths'> {
  const { kind, ...rate } = parseRate(typeof amount === 'string' ? amount.trim() : amount, currency)
  if ('amount_minor' in rate) return rate
  if (kind === 'not_positive') throw invalid('amount', 'greater_than', { limit: 0 })
  throw kind === 'too_precise' ? invalid('amount', 'too_precise_rate', { decimals: rateDecimals }) : invalid('amount', kind)
}
