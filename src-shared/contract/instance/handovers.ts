import { z } from 'zod'
import { partyObject } from '../representations'
import { nothing, organizationParams, pathId } from '../requests'
import { route } from '../route'
import { exportBody, exportCount, exportRepresentation } from './exports'

/** How many handovers, and changed rows, one answer lists. */
export const handoversAtATime = 100

/**
 * A file of expenses that was handed over to accounting (extension). Until it is `finished` only who asks for it sees it. `url` is null
 * for everyone else, and once the file is removed: after a day.
 */
export const handoverRepresentation = exportRepresentation
  .extend({
    user: partyObject,
    /** What was asked for, in words. */
    title: z.string().nullable(),
    /** The handover whose changed expenses this one has. */
    corrects: z.string().nullable(),
    /** Expenses of it were changed since and are in no later one. */
    is_changed: z.boolean(),
  })
  .meta({ id: 'Handover' })
export type Handover = z.infer<typeof handoverRepresentation>

/** What to hand over: as an export, of one organization. Expenses that were handed over before are left out. */
export const handoverBody = exportBody.omit({ list: true, organization_id: true, state: true }).extend({
  /** Also those that were handed over before. */
  again: z.boolean('invalid').optional(),
  /** The handover of which only what has changed since is handed over; with it, nothing else says which expenses. */
  corrects: z.string('invalid').max(64, 'invalid').optional(),
})
export type HandoverBody = z.output<typeof handoverBody>

const money = z.object({ amount: z.number(), currency: z.string() })

/** An expense that is no longer as it was handed over. */
export const changedRow = z.object({
  expense_id: z.int(),
  description: z.string().nullable(),
  /** Its version when it was handed over, and now. */
  version: z.int(),
  current_version: z.int(),
  change: z.enum(['changed', 'deleted']),
  /** What was booked by the handover, and what is to be booked now; null where nothing is. */
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
    /** Of the expense, in the file. */
    version: z.int(),
    /** The expense is no longer as it was then. Of the newest handover only. */
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
      /** What to ask for as `after`, where there may be more. */
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
