import { z } from 'zod'
import { flagConditions, policyWeights } from '#shared/domain/policies'
import { policy } from '#shared/records/policy'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** A policy of an organization (extension of the contract). */
export const policyRepresentation = z
  .object({
    ...recordShape(policy),
    /** The number of what it says now: from 1, one more with each change. */
    number: z.int(),
  })
  .meta({ id: 'Policy' })
export type PolicyRepresentation = z.infer<typeof policyRepresentation>

const policyListOptions = { order: 'created_at', attributes: listedBy(policy.attributes) } as const satisfies ListOptions

/** The endpoints of policies. */
export const policyRoutes = organizationRecordRoutes({
  table: policy.table,
  ...{ one: 'a policy', many: 'policies' },
  attributes: writableOf(policy.attributes),
  representation: policyRepresentation,
  list: policyListOptions,
  actions: { list: 'policies.list', show: 'policies.list', write: 'policies.write' },
})

/**
 * What a policy finds against an expense. `value` and `limit`: money where there is a currency, else days. A repeat is found without a
 * policy: its value is how many other expenses it may repeat.
 */
export const flagRepresentation = z
  .object({
    policy_id: z.int().nullable(),
    /** The name of the policy now. */
    policy: z.string().nullable(),
    /** The number of what it said when it found this. */
    number: z.int().nullable(),
    weight: z.enum(policyWeights),
    condition: z.enum(flagConditions),
    /** False where the amount is in another currency than the limit. */
    is_checked: z.boolean(),
    value: z.number().nullable(),
    limit: z.number().nullable(),
    currency: z.string().nullable(),
  })
  .meta({ id: 'Flag' })
export type FlagRepresentation = z.infer<typeof flagRepresentation>
