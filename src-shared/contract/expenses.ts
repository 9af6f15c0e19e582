import { z } from 'zod'
import { expenseStatuses } from '#shared/domain/expense-status'
import { expense } from '#shared/records/expense'
import { attachmentRepresentation } from './attachments'
import { createBody } from './attributes'
import { flagRepresentation } from './organization-records/policies'
import { amount, currency, flag, oneOf, optionalId, optionalText } from './fields'
import { listedBy, recordShape, writableOf } from './record-attributes'
import { recordRoutes } from './record-routes'
import { idParams, listQuery, nothing, pageNumber } from './requests'
import { type ListOptions, route } from './route'

/** The writable attributes of an expense (supplement 2, "Expenses"). */
export const expenseAttributes = writableOf(expense.attributes)

/** An expense (contract 2.3 and supplement 2). */
export const expenseRepresentation = z
  .object({ ...recordShape(expense), attachments: z.array(attachmentRepresentation), flags: z.array(flagRepresentation) })
  .meta({ id: 'Expense' })
export type Expense = z.infer<typeof expenseRepresentation>

/** A status to which an expense can move (contract 2.16). */
export const statusEntry = z
  .object({ slug: z.enum(expenseStatuses), name: z.string(), background_color: z.string(), text_color: z.string() })
  .meta({ id: 'ExpenseStatusEntry' })

/** How expenses are filtered and sorted (supplement 3, "Filter and sort attributes"). */
export const expenseListOptions = {
  order: '-occurred_at',
  attributes: { ...listedBy(expense.attributes), attachments_count: 'integer' },
  tagged: true,
  searchable: true,
  flagged: true,
} as const satisfies ListOptions

/** The groupings of expenses. `flag`: by condition of a finding; an expense is in the group of each of its findings. */
export const expenseGroupings = ['status', 'receiver', 'tag', 'supplier', 'flag', 'responsible', 'booked_month'] as const
export type ExpenseGrouping = (typeof expenseGroupings)[number]

const summaryTotal = z.object({ currency: z.string(), amount: z.number(), count: z.int() })

/** The number of a list's expenses in one group, and their totals by currency. */
export const expenseSummary = z
  .object({
    groups: z.array(
      z.object({
        /** What the group shares: a status, an id, a name, a supplier's tax number, or a condition; null for expenses without it. */
        key: z.union([z.string(), z.int()]).nullable(),
        label: z.string().nullable(),
        count: z.int(),
        totals: z.array(summaryTotal),
        /** The claimed total, whatever amounts the totals use. */
        claimed: z.array(summaryTotal),
      }),
    ),
  })
  .meta({ id: 'ExpenseSummary' })
export type ExpenseSummary = z.infer<typeof expenseSummary>

const member = { params: idParams, query: nothing, response: expenseRepresentation, status: 200 } as const

/** The endpoints of expenses and their status (contract 4.14, supplement 2). */
export const expenseRoutes = {
  ...recordRoutes({
    table: expense.table,
    one: 'an expense',
    collection: { path: '/expenses', params: nothing },
    member: { path: '/expenses/:id', params: idParams },
    attributes: expenseAttributes,
    representation: expenseRepresentation,
    list: expenseListOptions,
    create: {
      body: createBody(expenseAttributes)
        .partial({ amount: true })
        .extend({
          statement_line_id: optionalId
            .optional()
            .meta({ description: 'The card line that it belongs to: matched with it, or not created', writeOnly: true }),
        }),
      demanded: ({ kind }) => (kind === 'distance' ? [] : ['amount']),
    },
    actions: { list: 'expenses.read', create: 'expenses.create', write: 'expenses.write' },
    summaries: { list: 'List the expenses that the caller may see', create: 'Record an expense' },
  }),
  summary: route({
    name: 'expenses.summary',
    action: 'expenses.read',
    method: 'GET',
    path: '/expenses/summary',
    summary: 'Count and add up the expenses of a list by what they have in common',
    params: nothing,
    query: listQuery.extend({
      group_by: z.enum(expenseGroupings, 'inclusion'),
      /**
       * The amounts to add up: `claimed`; `approved`, without expenses that have none; or `counted`: the approved amount, or the claimed one if there
       * is none.
       */
      amounts: z.enum(['claimed', 'approved', 'counted'], 'inclusion').optional(),
      /** Returns only this many groups, those with most expenses. */
      limit: pageNumber.optional(),
    }),
    body: nothing,
    response: expenseSummary,
    status: 200,
    list: expenseListOptions,
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
      undo_of: z.int().nullish(),
    }),
  }),
}
