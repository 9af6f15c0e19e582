import { z } from 'zod'
import { accountabilityStatuses } from '#shared/domain/accountability-status'
import { activityRepresentation } from './activities'
import { changeBody, createBody, demandedByPut, optional, required } from './attributes'
import { expenseListOptions, expenseRepresentation } from './expenses'
import { id, oneOf, optionalText, party, requiredText } from './fields'
import { emojiPageQuery, unfiltered } from './parents'
import { instantText, link, pageOf, partyObject } from './representations'
import { idParams, listQuery, nothing, pathId } from './requests'
import { type ListOptions, route } from './route'

/** How many expenses one accountability may hold: finishing it settles them all at once. */
export const mostExpenses = 1000

/** The writable attributes of an accountability (contract 4.5). */
export const accountabilityAttributes = {
  payer: required(party('Organization')),
  receiver: required(party('User')),
  title: required(requiredText()),
  description: optional(optionalText()),
  expense_ids: optional(z.array(id, 'invalid').max(mostExpenses, 'invalid')),
} as const

const total = z.object({ currency: z.string(), amount: z.number(), count: z.int() })

/** An accountability (contract 2.7); `totals`: what its expenses claim, by currency. */
export const accountabilityRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    title: z.string(),
    description: z.string().nullable(),
    status: z.enum(accountabilityStatuses),
    expense_ids: z.array(z.int()),
    totals: z.array(total),
    payer: partyObject,
    receiver: partyObject,
    responsible_user: partyObject,
    activities_count: z.int(),
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'Accountability' })
export type Accountability = z.infer<typeof accountabilityRepresentation>

/** A state that an accountability can move to. */
export const accountabilityStatusEntry = z
  .object({ slug: z.enum(accountabilityStatuses), name: z.string() })
  .meta({ id: 'AccountabilityStatusEntry' })

const group = total.extend({ receiver: partyObject })

/** What finishing an accountability would do, and the expenses that keep it from being approved: neither approved nor liquidated. */
export const accountabilityLiquidation = z
  .object({ reimbursements: z.array(group), advancements: z.array(group), not_approved_ids: z.array(z.int()) })
  .meta({ id: 'AccountabilityLiquidation' })
export type AccountabilityLiquidation = z.infer<typeof accountabilityLiquidation>

/** How accountabilities are filtered and sorted (supplement 3, "Filter and sort attributes"). */
export const accountabilityListOptions = {
  attributes: {
    id: 'integer',
    status: 'text',
    title: 'text',
    payer_id: 'integer',
    receiver_id: 'integer',
    created_at: 'instant',
    updated_at: 'instant',
  },
} as const satisfies ListOptions

const queryId = z.union([pathId, z.int()], { error: ({ input }) => (input === undefined || input === '' ? 'blank' : 'invalid') })
const read = { method: 'GET', action: 'accountabilities.read', body: nothing, status: 200 } as const
const under = (path: string) => ({
  path: `/accountability/:id${path}`,
  aliases: [`/accountabilities/:id${path}`],
  params: idParams,
})
const member = { ...under(''), query: nothing, response: accountabilityRepresentation, status: 200 } as const

/** The endpoints of accountabilities (contract 4.5). The item path is singular; the plural answers too. */
export const accountabilityRoutes = {
  list: route({
    ...read,
    name: 'accountabilities.list',
    path: '/accountabilities',
    summary: 'List the accountabilities that the caller may see',
    params: nothing,
    query: listQuery,
    response: pageOf('accountabilities', accountabilityRepresentation),
    list: accountabilityListOptions,
  }),
  create: route({
    name: 'accountabilities.create',
    method: 'POST',
    path: '/accountabilities',
    aliases: ['/accountability'],
    summary: 'Put together an accountability',
    action: 'accountabilities.create',
    params: nothing,
    query: nothing,
    body: createBody(accountabilityAttributes),
    response: accountabilityRepresentation,
    status: 201,
  }),
  show: route({ ...member, ...read, name: 'accountabilities.show', summary: 'Show an accountability' }),
  replace: route({
    ...member,
    name: 'accountabilities.replace',
    method: 'PUT',
    summary: 'Change all attributes of an accountability',
    action: 'accountabilities.write',
    body: changeBody(accountabilityAttributes),
    demanded: demandedByPut(accountabilityAttributes),
  }),
  update: route({
    ...member,
    name: 'accountabilities.update',
    method: 'PATCH',
    summary: 'Change some attributes of an accountability',
    action: 'accountabilities.write',
    body: changeBody(accountabilityAttributes),
  }),
  destroy: route({
    ...member,
    name: 'accountabilities.destroy',
    method: 'DELETE',
    summary: 'Delete an accountability; its expenses stay',
    action: 'accountabilities.destroy',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  listStatuses: route({
    ...member,
    ...read,
    ...under('/status'),
    name: 'accountabilities.status.show',
    summary: 'List the states that an accountability can move to',
    response: z.object({ status: z.array(accountabilityStatusEntry) }),
  }),
  changeStatus: route({
    ...member,
    ...under('/status'),
    name: 'accountabilities.status.update',
    method: 'PUT',
    summary: 'Move an accountability to another state; finished liquidates its expenses',
    action: 'accountabilities.move',
    body: z.object({ status: oneOf(accountabilityStatuses) }),
  }),
  showLiquidation: route({
    ...member,
    ...read,
    ...under('/liquidation'),
    name: 'accountabilities.liquidation',
    summary: 'Show what finishing an accountability would do',
    response: accountabilityLiquidation,
  }),
  listExpenses: route({
    ...read,
    ...under('/expenses'),
    name: 'accountabilities.expenses',
    summary: 'List the expenses of an accountability that the caller may see',
    query: listQuery,
    response: pageOf('expenses', expenseRepresentation),
    list: expenseListOptions,
  }),
  listJoinable: route({
    ...read,
    name: 'accountabilities.new.expenses',
    path: '/accountabilities/new/expenses',
    summary: 'List the expenses of a receiver that could stand in an accountability',
    action: 'expenses.read',
    params: nothing,
    query: listQuery.extend({ payer_id: queryId, receiver_id: queryId }),
    response: pageOf('expenses', expenseRepresentation),
    list: expenseListOptions,
  }),
  listActivities: route({
    ...read,
    ...under('/activities'),
    name: 'accountabilities.activities',
    summary: 'List what happened to an accountability',
    query: emojiPageQuery,
    response: pageOf('activities', activityRepresentation),
    list: unfiltered,
  }),
}
