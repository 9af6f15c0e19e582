import { z } from 'zod'
import { distanceRule } from '#shared/records/distance-rule'
import { createBody, required } from './attributes'
import { amount, flag } from './fields'
import { shownShape, writableOf } from './record-attributes'
import { nothing, organizationParams } from './requests'
import { route } from './route'

/** What an organization pays per unit of distance (contract 2.15); the default rule has no `id`, and null identity attributes. */
export const distanceRuleRepresentation = z
  .object({
    id: z.int().nullable(),
    uid: z.string().nullable(),
    version: z.int().nullable(),
    organization_id: z.int(),
    amount: z.number().meta({ description: 'Major units of the currency, with at most six decimals' }),
    ...shownShape(distanceRule.attributes),
    valid_from: z.iso.date().nullable().meta({ description: 'The first day of the trips that it prices; null: all days' }),
  })
  .meta({ id: 'DistanceRule' })
export type DistanceRuleRepresentation = z.infer<typeof distanceRuleRepresentation>

const collection = {
  path: '/organizations/:organization_id/distances_rules',
  params: organizationParams,
  response: z.array(distanceRuleRepresentation),
  status: 200,
} as const

/** The endpoints of distance rules (contract 4.11). */
export const distanceRuleRoutes = {
  list: route({
    ...collection,
    name: 'distance_rules.list',
    action: 'distance_rules.read',
    method: 'GET',
    query: z.object({ all: flag.optional().meta({ description: 'Every rule, newest day first, and not only that of today' }) }),
    summary: "Show an organization's distance rule",
    body: nothing,
  }),
  set: route({
    ...collection,
    name: 'distance_rules.create',
    action: 'distance_rules.write',
    method: 'POST',
    query: nothing,
    summary: "Set an organization's distance rule, from a day or for all days; the currency and unit that are left out keep their value",
    body: createBody({ amount: required(amount), ...writableOf(distanceRule.attributes) }),
  }),
}
