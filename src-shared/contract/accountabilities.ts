import { z } from 'zod'
import { accountabilityStatuses } from '#shared/domain/accountability-status'
import { accountability } from '#shared/records/accountability'
import { activityRepresentation } from './activities'
import { createBody } from './attributes'
import { expenseListOptions, expenseRepresentation } from './expenses'
import { oneOf } from './fields'
import { emojiPageQuery, unfiltered } from './followables'
import { listedBy, recordShape, writableOf } from './record-attributes'
import { recordRoutes } from './record-routes'
import { pageOf, partyObject } from './representations'
import { idParams, listQuery, nothing, pathId } from './requests'
import { type ListOptions, route } from './route'

const attributes = writableOf(accountability.attributes)

const total = z.object({ currency: z.string(), amount: z.number(), count: z.int() })

/**
 * An accountability (contract 2.7). `totals`: the claimed sums of its expenses, by currency; `approved_totals`: the approved part; `paid_totals`: the
 * liquidated part of that. These and `expense_ids` cover the expenses that the caller may see.
 */
export const accountabilityRepresentation = z
  .object({ ...recordShape(accountability), totals: z.array(total), approved_totals: z.array(total), paid_totals: z.array(total) })
  .meta({ id: 'Accountability' })
export type Accountability = z.infer<typeof accountabilityRepresentation>

/** A status to which an accountability can move. */
export const accountabilityStatusEntry = z
  .object({ slug: z.enum(accountabilityStatuses), name: z.string() })
  .meta({ id: 'AccountabilityStatusEntry' })

const group = total.extend({ receiver: partyObject })

/** `overdraws`: by how much the sum exceeds their advance; null if the caller may not see the balance. */
const advanceGroup = group.extend({ overdraws: z.number().nullable() })

/** The effect of finishing an accountability, and the expenses that prevent its approval: neither approved nor liquidated. */
export const accountabilityLiquidation = z
  .object({ reimbursements: z.array(group), advancements: z.array(advanceGroup), not_approved_ids: z.array(z.int()) })
  .meta({ id: 'AccountabilityLiquidation' })
export type AccountabilityLiquidation = z.infer<typeof accountabilityLiquidation>

/** How accountabilities are filtered and sorted (supplement 3, "Filter and sort attributes"). */
export const accountabilityListOptions = { attributes: listedBy(accountability.attributes) } as const satisfies ListOptions

const queryId = z.union([pathId, z.int()], { error: ({ input }) => (input === undefined || input === '' ? 'blank' : 'invalid') })
const read = { method: 'GET', action: 'accountabilities.read', body: nothing, status: 200 } as const
const under = (path: string) => ({ path: `/accountability/:id${path}`, aliases: [`/accountabilities/:id${path}`], params: idParams })
const member = { ...under(''), query: nothing, response: accountabilityRepresentation, status: 200 } as const

/** The endpoints of accountabilities (contract 4.5). The item path is singular; the plural works too. */
export const accountabilityRoutes = {
  ...recordRoutes({
    table: accountability.table,
    one: 'an accountability',
    collection: { path: '/accountabilities', params: nothing },
    member: under(''),
    attributes,
    representation: accountabilityRepresentation,
    list: accountabilityListOptions,
    create: { body: createBody(attributes), aliases: ['/accountability'] },
    actions: {
      list: 'accountabilities.read',
      create: 'accountabilities.create',
      write: 'accountabilities.write',
      destroy: 'accountabilities.destroy',
    },
    summaries: {
      list: 'List the accountabilities that the caller may see',
      create: 'Put together an accountability',
      destroy: 'Delete an accountability; its expenses stay',
    },
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
