import { z } from 'zod'
import { partyObject } from '../representations'
import { nothing, organizationParams, pathId } from '../requests'
import { route } from '../route'
import { exportBody, exportCount, exportRepresentation } from './exports'

/** The most handovers, and changed rows, in one response. */
export const handoversAtATime = 100

/**
 * A file of expenses that was handed over to accounting (extension). Until `finished`, only its author sees it. `url` is null for everyone else, and
 * after the file is removed (after a day).
 */
export const handoverRepresentation = exportRepresentation
  .extend({
    user: partyObject,
    /** What was requested, in words. */
    title: z.string().nullable(),
    /** The handover that this one corrects. */
    corrects: z.string().nullable(),
    /** Whether expenses of it changed since and are in no later handover. */
    is_changed: z.boolean(),
  })
  .meta({ id: 'Handover' })
export type Handover = z.infer<typeof handoverRepresentation>

/** What to hand over: like an export, of one organization. Leaves out expenses of earlier handovers. */
export const handoverBody = exportBody.omit({ list: true, organization_id: true, state: true }).extend({
  /** Also include expenses of earlier handovers. */
  again: z.boolean('invalid').optional(),
  /** The handover of which only later changes are handed over; nothing else then selects expenses. */
  corrects: z.string('invalid').max(64, 'invalid').optional(),
})
export type HandoverBody = z.output<typeof handoverBody>

const money = z.object({ amount: z.number(), currency: z.string() })

/** An expense that has changed since its handover. */
export const changedRow = z.object({
  expense_id: z.int(),
  description: z.string().nullable(),
  /** Its version at the handover, and now. */
  version: z.int(),
  current_version: z.int(),
  change: z.enum(['changed', 'deleted']),
  /** What the handover booked, and what should be booked now; null: nothing. */
  booked: money.nullable(),
  now: money.nullable(),
})
export type ChangedRow = z.infer<typeof changedRow>

const handoverOfExpense = z
  .object({
    id: z.string(),
    created_at: z.string(),
    user: partyObject,
    title: z.string().nullable(),
    file_name: z.string(),
    corrects: z.string().nullable(),
    /** The expense's version in the file. */
    version: z.int(),
    /** Whether the expense has changed since. Only for the newest handover. */
    is_changed: z.boolean(),
  })
  .meta({ id: 'HandoverOfExpense' })
export type HandoverOfExpense = z.infer<typeof handoverOfExpense>

const uid = z.string().regex(/^[\w-]{1,64}$/)
const home = '/organizations/:organization_id/handovers'
const collection = { path: home, params: organizationParams, query: nothing, body: nothing } as const
const member = { path: `${home}/:id`, params: organizationParams.extend({ id: uid }), query: nothing, body: nothing } as const

/** The endpoints of handovers (extension). */
export const handoverRoutes = {
  list: route({
    ...collection,
    name: 'handovers.list',
    action: 'handovers.list',
    method: 'GET',
    summary: 'List what was handed over to accounting, newest first',
    query: z.object({ before: uid.optional() }),
    response: z.object({ handovers: z.array(handoverRepresentation) }),
    status: 200,
  }),
  create: route({
    ...collection,
    name: 'handovers.create',
    action: 'handovers.write',
    method: 'POST',
    summary: 'Hand expenses over to accounting; the file is written in the background',
    body: handoverBody,
    response: handoverRepresentation,
    status: 201,
  }),
  count: route({
    ...collection,
    path: `${home}/count`,
    name: 'handovers.count',
    action: 'handovers.write',
    method: 'POST',
    summary: 'Count the expenses that such a handover would have, and those that it would leave out',
    body: handoverBody.omit({ corrects: true }),
    response: exportCount,
    status: 200,
  }),
  show: route({
    ...member,
    name: 'handovers.show',
    action: 'handovers.list',
    method: 'GET',
    summary: 'Show a handover, or how far it is',
    response: handoverRepresentation,
    status: 200,
  }),
  changes: route({
    ...member,
    path: `${home}/:id/changes`,
    name: 'handovers.changes',
    action: 'handovers.list',
    method: 'GET',
    summary: 'List the expenses of a handover that have changed since',
    query: z.object({
      after: z
        .string()
        .regex(/^-?\d{1,15}$/)
        .transform(Number)
        .optional(),
    }),
    response: z.object({
      changes: z.array(changedRow),
      /** The `after` for the next page, if there may be more. */
      next: z.int().nullable(),
    }),
    status: 200,
  }),
  destroy: route({
    ...member,
    name: 'handovers.destroy',
    action: 'handovers.write',
    method: 'DELETE',
    summary: 'Stop a handover that is not finished',
    response: z.null(),
    status: 204,
  }),
  ofExpense: route({
    name: 'handovers.of_expense',
    action: 'handovers.list',
    method: 'GET',
    path: '/expenses/:expense_id/handovers',
    summary: 'List the handovers that an expense is in',
    params: z.object({ expense_id: pathId }),
    query: nothing,
    body: nothing,
    response: z.object({ handovers: z.array(handoverOfExpense) }),
    status: 200,
  }),
}
