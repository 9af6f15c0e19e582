import { z } from 'zod'
import { expenseKinds } from '#shared/domain/policies/terms'
import { createBody } from '../attributes'
import * as fields from '../fields'
import { instantText } from '../representations'
import { nothing, organizationParams, pathId } from '../requests'
import { route } from '../route'
import { flagRepresentation, policyRoutes, policyWritable } from './policies'

/** Reads of policies that are no records: what expenses come to together, and what a policy would have found. No part of the contract. */

const queryId = z.union([z.int(), pathId], { error: ({ input }) => (input === undefined || input === '' ? 'blank' : 'invalid') })
const organization = '/organizations/:organization_id'

/** The expense that sums are asked for, as it is written. */
const written = z.object({
  claimant_id: queryId,
  occurred_at: fields.instant,
  currency: fields.currency,
  kind: fields.oneOf(expenseKinds).default('monetary'),
  /** Ids with commas between them. */
  tag_ids: z
    .string()
    .regex(/^(\d+(,\d+)*)?$/, 'invalid')
    .default('')
    .transform((text) => (text === '' ? [] : text.split(',').map(Number))),
  /** The expense itself, where it is stored already. */
  except_id: queryId.optional(),
})

/**
 * What a policy that adds up has to add an expense to: in minor units of the policy's currency, or in metres.
 */
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

/** A part of a replay. `next`: where the next part begins; null after the last one. */
export const policyReplay = z
  .object({
    checked: z.int(),
    found: z.int(),
    /** What the flagged expenses come to, by currency. */
    sums: z.array(z.object({ currency: z.string(), amount: z.number() })),
    /** How many of each claimant are flagged. */
    claimants: z.array(z.object({ id: z.int(), name: z.string(), count: z.int() })),
    /** The first of those that are flagged. */
    expenses: z.array(replayedExpense),
    next: place.nullable(),
  })
  .meta({ id: 'PolicyReplay' })
export type PolicyReplay = z.infer<typeof policyReplay>

/** JSON in a text, as a schema reads it. */
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

/** What policies read without changing anything. */
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
      /** What a policy is created from, as JSON. */
      policy: json(createBody(policyWritable)),
      /** Expenses from this date on. */
      since: fields.instant,
      /** Where the part begins: `next` of the part before, as JSON. */
      after: json(place).optional(),
    }),
    response: policyReplay,
  }),
}
