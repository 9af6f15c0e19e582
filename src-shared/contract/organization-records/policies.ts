import { z } from 'zod'
import { flagConditions, policyPeriods, policyWeights } from '#shared/domain/policies/terms'
import { policy } from '#shared/records/policy'
import { listedBy, recordShape, shownShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

const { name: _name, ...said } = shownShape(policy.attributes)

/** A version of a policy. `number`: from 1, increased with each change. */
export const policyVersionRepresentation = z.object({ ...said, number: z.int() }).meta({ id: 'PolicyVersion' })
export type PolicyVersionRepresentation = z.infer<typeof policyVersionRepresentation>

/** A policy of an organization (extension of the contract). */
export const policyRepresentation = z
  .object({
    ...recordShape(policy),
    /** The number of the current version. */
    number: z.int(),
    versions: z.array(policyVersionRepresentation),
  })
  .meta({ id: 'Policy' })
export type PolicyRepresentation = z.infer<typeof policyRepresentation>

const policyListOptions = { order: 'created_at', attributes: listedBy(policy.attributes) } as const satisfies ListOptions

/** The writable attributes of a policy. */
export const policyWritable = writableOf(policy.attributes)

/** The endpoints of policies. */
export const policyRoutes = organizationRecordRoutes({
  table: policy.table,
  one: 'a policy',
  many: 'policies',
  attributes: policyWritable,
  representation: policyRepresentation,
  list: policyListOptions,
  actions: { list: 'policies.list', show: 'policies.list', write: 'policies.write' },
})

/**
 * A finding of a policy about an expense. `value` and `limit`: money if there is a currency, a distance if there is a unit, otherwise days. A repeat
 * needs no policy: its value is the number of other expenses it may repeat.
 */
export const flagRepresentation = z
  .object({
    policy_id: z.int().nullable(),
    /** The current name of the policy. */
    policy: z.string().nullable(),
    /** The version that found this. */
    number: z.int().nullable(),
    weight: z.enum(policyWeights),
    condition: z.enum(flagConditions),
    /** False if the amount is in another currency than the limit. */
    is_checked: z.boolean(),
    /** Whether the claimant gave a reason, if the policy asks for one. */
    is_explained: z.boolean(),
    value: z.number().nullable(),
    limit: z.number().nullable(),
    currency: z.string().nullable(),
    unit: z.enum(['km', 'mi']).nullable(),
    /** The period over which expenses are added up. */
    period: z.enum(policyPeriods).nullable(),
  })
  .meta({ id: 'Flag' })
export type FlagRepresentation = z.infer<typeof flagRepresentation>
