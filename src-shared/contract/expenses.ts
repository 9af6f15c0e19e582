import { z } from 'zod'
import { expenseStatuses } from '#shared/domain/expense-status'
import { changeBody, createBody, demandedByPut, extension, optional, required } from './attributes'
import { amount, currency, flag, instant, number, oneOf, optionalId, optionalText, party, tags } from './fields'
import { attachmentRepresentation, instantText, link, pageOf, partyObject } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { type ListOptions, route } from './route'

const latitude = number({ min: -90, max: 90 })
const longitude = number({ min: -180, max: 180 })

/** The writable attributes of an expense (supplement 2, "Expenses"). */
export const expenseAttributes = {
  payer: required(party('Organization')),
  amount: required(amount),
  occurred_at: required(instant),
  currency: optional(currency),
  receiver: optional(party('User')),
  description: optional(optionalText()),
  tags: optional(tags),
  latitude: optional(latitude),
  longitude: optional(longitude),
  location: optional(optionalText(500)),
  liquidate_through_advancement: optional(flag),
  kind: extension(oneOf(['monetary', 'distance'])),
  distance: extension(number({ min: 0, max: 1_000_000 })),
  distance_kind: extension(oneOf(['km', 'mi']).nullable()),
  origin: extension(optionalText(500)),
  origin_latitude: extension(latitude),
  origin_longitude: extension(longitude),
  destination: extension(optionalText(500)),
  destination_latitude: extension(latitude),
  destination_longitude: extension(longitude),
  travel_time: extension(z.int('invalid').min(0, 'invalid').max(1_000_000, 'invalid').nullable()),
  corporative_card_id: extension(optionalId),
} as const

/** An expense (contract 2.3 and supplement 2). */
export const expenseRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    description: z.string().nullable(),
    kind: z.enum(['monetary', 'distance']),
    amount: z.number(),
    currency: z.string(),
    approved_amount: z.number().nullable(),
    approved_amount_currency: z.string().nullable(),
    status: z.enum(expenseStatuses),
    occurred_at: instantText,
    payer: partyObject,
    receiver: partyObject,
    responsible_user: partyObject.nullable(),
    attachments: z.array(attachmentRepresentation),
    tags: z.string(),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    location: z.string().nullable(),
    attachments_count: z.int(),
    comments_count: z.int(),
    activities_count: z.int(),
    liquidate_through_advancement: z.boolean(),
    ignore_noncompliant: z.boolean().nullable(),
    pre_expense_id: z.int().nullable(),
    corporative_card_id: z.int().nullable(),
    reimbursement_id: z.int().nullable(),
    distance: z.number().nullable().optional(),
    distance_kind: z.enum(['km', 'mi']).nullable().optional(),
    origin: z.string().nullable().optional(),
    origin_latitude: z.number().nullable().optional(),
    origin_longitude: z.number().nullable().optional(),
    destination: z.string().nullable().optional(),
    destination_latitude: z.number().nullable().optional(),
    destination_longitude: z.number().nullable().optional(),
    travel_time: z.int().nullable().optional(),
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'Expense' })
export type Expense = z.infer<typeof expenseRepresentation>

/** A status that an expense can move to (contract 2.16). */
export const statusEntry = z
  .object({ slug: z.enum(expenseStatuses), name: z.string(), background_color: z.string(), text_color: z.string() })
  .meta({ id: 'ExpenseStatusEntry' })

/** How expenses are filtered and sorted (supplement 3, "Filter and sort attributes"). */
export const expenseListOptions = {
  order: '-occurred_at',
  attributes: {
    id: 'integer',
    amount: 'amount',
    approved_amount: 'amount',
    currency: 'text',
    status: 'text',
    kind: 'text',
    payer_id: 'integer',
    receiver_id: 'integer',
    occurred_at: 'instant',
    created_at: 'instant',
    updated_at: 'instant',
    description: 'text',
    location: 'text',
    pre_expense_id: 'integer',
    corporative_card_id: 'integer',
    liquidate_through_advancement: 'flag',
  },
  tagged: true,
  searchable: true,
} as const satisfies ListOptions

const summaryTotal = z.object({ currency: z.string(), amount: z.number(), count: z.int() })

/** How many expenses of a list are in one group, and their totals per currency. */
export const expenseSummary = z
  .object({
    groups: z.array(
      z.object({
        /** The status, the receiver's id or the tag's name; null for expenses without a tag. */
        key: z.union([z.string(), z.int()]).nullable(),
        label: z.string().nullable(),
        count: z.int(),
        totals: z.array(summaryTotal),
        /** The claimed total, whichever amounts the totals add up. */
        claimed: z.array(summaryTotal),
      }),
    ),
  })
  .meta({ id: 'ExpenseSummary' })
export type ExpenseSummary = z.infer<typeof expenseSummary>

const member = { params: idParams, query: nothing, response: expenseRepresentation, status: 200 } as const

/** The endpoints of expenses and of their status (contract 4.14, supplement 2). */
export const expenseRoutes = {
  list: route({
    name: 'expenses.list',
    action: 'expenses.read',
    method: 'GET',
    path: '/expenses',
    summary: 'List the expenses that the caller may see',
    params: nothing,
    query: listQuery,
    body: nothing,
    response: pageOf('expenses', expenseRepresentation),
    status: 200,
    list: expenseListOptions,
  }),
  summary: route({
    name: 'expenses.summary',
    action: 'expenses.read',
    method: 'GET',
    path: '/expenses/summary',
    summary: 'Count and add up the expenses of a list by status, receiver or tag',
    params: nothing,
    query: listQuery.extend({
      group_by: z.enum(['status', 'receiver', 'tag'], 'inclusion'),
      /**
       * Which amounts to add up: the claimed ones; the approved ones, without expenses that have none; or the amount that each expense
       * counts for, which is the approved amount if there is one, else the claimed one.
       */
      amounts: z.enum(['claimed', 'approved', 'counted'], 'inclusion').optional(),
    }),
    body: nothing,
    response: expenseSummary,
    status: 200,
    list: expenseListOptions,
  }),
  create: route({
    name: 'expenses.create',
    action: 'expenses.create',
    method: 'POST',
    path: '/expenses',
    summary: 'Record an expense',
    params: nothing,
    query: nothing,
    body: createBody(expenseAttributes).partial({ amount: true }),
    demanded: ({ kind }) => (kind === 'distance' ? [] : ['amount']),
    response: expenseRepresentation,
    status: 201,
  }),
  show: route({
    ...member,
    name: 'expenses.show',
    action: 'expenses.read',
    method: 'GET',
    path: '/expenses/:id',
    summary: 'Show an expense',
    body: nothing,
  }),
  replace: route({
    ...member,
    name: 'expenses.replace',
    action: 'expenses.write',
    method: 'PUT',
    path: '/expenses/:id',
    summary: 'Change all attributes of an expense',
    body: changeBody(expenseAttributes),
    demanded: demandedByPut(expenseAttributes),
  }),
  update: route({
    ...member,
    name: 'expenses.update',
    action: 'expenses.write',
    method: 'PATCH',
    path: '/expenses/:id',
    summary: 'Change some attributes of an expense',
    body: changeBody(expenseAttributes),
  }),
  destroy: route({
    ...member,
    name: 'expenses.destroy',
    action: 'expenses.write',
    method: 'DELETE',
    path: '/expenses/:id',
    summary: 'Delete an expense',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  listStatuses: route({
    ...member,
    name: 'expenses.status.show',
    action: 'expenses.read',
    method: 'GET',
    path: '/expenses/:id/status',
    summary: 'List the statuses that an expense can change to',
    body: nothing,
    response: z.object({ status: z.array(statusEntry) }),
  }),
  changeStatus: route({
    ...member,
    name: 'expenses.status.update',
    action: 'expenses.move',
    method: 'PUT',
    path: '/expenses/:id/status',
    summary: 'Move an expense to another status',
    body: z.object({
      status: oneOf(expenseStatuses),
      approved_amount: amount.nullish(),
      approved_amount_currency: currency.nullish(),
      ignore_noncompliant: flag.nullish(),
      comment: optionalText().optional(),
    }),
  }),
}
