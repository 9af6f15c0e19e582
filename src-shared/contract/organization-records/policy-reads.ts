import { z } from 'zod'
import { expenseKinds } from '#shared/domain/policies/terms'
import { createBody } from '../attributes'
import * as fields from '../fields'
import { instantText } from '../representations'
import { nothing, organizationParams, pathId } from '../requests'
import { route } from '../route'
import { flagRepresentation, policyRoutes, policyWritable } from './policies'

/** Reads about policies that are not records: sums of expenses, and what a policy would have found. Not part of the contract. */

const queryId = z.union([z.int(), pathId], { error: ({ input }) => (input === undefined || input === '' ? 'blank' : 'invalid') })
const organization = '/organizations/:organization_id'

/** The draft of an expense for which sums are requested. */
const written = z.object({
  claimant_id: queryId,
  occurred_at: fields.instant,
  currency: fields.currency,
  kind: fields.oneOf(expenseKinds).default('monetary'),
  /** Ids separated by commas. */
  tag_ids: z
    .string()
    .regex(/^(\d+(,\d+)*)?$/, 'invalid')
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',').map(Number))),
  /** The id of the expense, if it is stored already. */
  except_id: queryId.optional(),
})

/** The sum to which a policy adds an expense: in minor units of the policy's currency, or in metres. */
export const policySum = z.object({ policy_id: z.int(), others: z.number() }).meta({ id: 'PolicySum' })

/** An expense that a policy would have flagged. */
export const replayedExpense = z
  .object({
    id: z.int(),
    occurred_at: instantText,
    description: z.string().nullable(),
    receiver_id: z.int(),
    amount: z.number(),
    currency: z.string(),
    flag: flagRepresentation,
  })
  .meta({ id: 'ReplayedExpense' })
export type ReplayedExpense = z.infer<typeof replayedExpense>

const place = z.object({ occurred_at: z.string(), id: z.int() })

/** A part of a replay. `next`: where the next part begins; null after the last. */
export const policyReplay = z
  .object({
    checked: z.int(),
    found: z.int(),
    /** The sums of flagged expenses, by currency. */
    sums: z.array(z.object({ currency: z.string(), amount: z.number() })),
    /** The number of flagged expenses of each claimant. */
    claimants: z.array(z.object({ id: z.int(), name: z.string(), count: z.int() })),
    /** The first flagged expenses. */
    expenses: z.array(replayedExpense),
    next: place.nullable(),
  })
  .meta({ id: 'PolicyReplay' })
export type PolicyReplay = z.infer<typeof policyReplay>

/** JSON in a text, parsed by a schema. */
const json = <S extends z.ZodType>(schema: S) =>
  z
    .string({ error: 'blank' })
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        context.addIssue({ code: 'custom', message: 'invalid' })
        return z.NEVER
      }
    })
    .pipe(schema)

const read = { method: 'GET', params: organizationParams, body: nothing, status: 200 } as const

/** Reads about policies that change nothing. */
export const policyReadRoutes = {
  sums: route({
    ...read,
    name: 'policy_sums.list',
    action: policyRoutes.list.action,
    path: `${organization}/policy_sums`,
    summary: 'Tell what the other expenses come to that policies add an expense to',
    query: written,
    response: z.object({ policy_sums: z.array(policySum) }),
  }),
  check: route({
    ...read,
    name: 'policy_check.show',
    action: policyRoutes.list.action,
    path: `${organization}/policy_check`,
    summary: 'Tell how many expenses are still to be checked by policies that have changed',
    query: nothing,
    response: z.object({ waiting: z.int() }),
  }),
  replay: route({
    ...read,
    name: 'policy_replays.show',
    action: policyRoutes.create.action,
    path: `${organization}/policy_replay`,
    summary: 'Tell which stored expenses a policy would have flagged, part by part',
    query: z.object({
      /** The input for the policy, as JSON. */
      policy: json(createBody(policyWritable)),
      /** The date from which expenses are judged. */
      since: fields.instant,
      /** Where the part begins: the earlier part's `next`, as JSON. */
      after: json(place).optional(),
    }),
    response: policyReplay,
  }),
}
