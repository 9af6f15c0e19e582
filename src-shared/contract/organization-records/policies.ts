import { z } from 'zod'
import { flagConditions, policyPeriods, policyWeights } from '#shared/domain/policies/terms'
import { policy } from '#shared/records/policy'
import { listedBy, recordShape, shownShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

const { name: _name, ...said } = shownShape(policy.attributes)

/** What a policy said. `number`: from 1, one more with each change. */
export const policyVersionRepresentation = z.object({ ...said, number: z.int() }).meta({ id: 'PolicyVersion' })
export type PolicyVersionRepresentation = z.infer<typeof policyVersionRepresentation>

/** A policy of an organization (extension of the contract). */
export const policyRepresentation = z
  .object({
    ...recordShape(policy),
    /** The number of what it says now. */
    number: z.int(),
    /** All that it has said, oldest first. */
    versions: z.array(policyVersionRepresentation),
  })
  .meta({ id: 'Policy' })
export type PolicyRepresentation = z.infer<typeof policyRepresentation>

const policyListOptions = { order: 'created_at', attributes: listedBy(policy.attributes) } as const satisfies ListOptions

/** What requests write of a policy. */
export const policyWritable = writableOf(policy.attributes)

/** The endpoints of policies. */
export const policyRoutes = organizationRecordRoutes({
  table: policy.table,
  ...{ one: 'a policy', many: 'policies' },
  attributes: policyWritable,
  representation: policyRepresentation,
  list: policyListOptions,
  actions: { list: 'policies.list', show: 'policies.list', write: 'policies.write' },
})

/**
 * What a policy finds against an expense. `value` and `limit`: money where there is a currency, a distance where there is a unit, else days.
 * A repeat is found without a policy: its value is how many other expenses it may repeat.
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
    /** Whether the claimant said why, where the policy asks for it. */
    is_explained: z.boolean(),
    value: z.number().nullable(),
    limit: z.number().nullable(),
    currency: z.string().nullable(),
    unit: z.enum(['km', 'mi']).nullable(),
    /** Over how long it is added up. */
    period: z.enum(policyPeriods).nullable(),
  })
  .meta({ id: 'Flag' })
export type FlagRepresentation = z.infer<typeof flagRepresentation>
