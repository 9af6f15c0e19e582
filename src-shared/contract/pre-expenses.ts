import { z } from 'zod'
import { preExpenseStates } from '#shared/domain/pre-expense-state'
import { preExpense } from '#shared/records/pre-expense'
import { createBody } from './attributes'
import { expenseAttributes, expenseRepresentation } from './expenses'
import { amount, currency, instant, party, tags } from './fields'
import { listedBy, recordShape, writableOf } from './record-attributes'
import { instantText, pageOf } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { type ListOptions, route } from './route'

/** What the recording service adds: any JSON object. */
const information = z.record(z.string(), z.unknown(), 'invalid')

/** A pre-expense (contract 2.14). */
export const preExpenseRepresentation = z
  .object({
    ...recordShape(preExpense),
    status: z.enum(['completed', 'in_progress']),
    extra_information: information,
    /** The expense made from it, while that exists. */
    expense_id: z.int().nullable(),
    deleted_at: instantText.nullable(),
  })
  .meta({ id: 'PreExpense' })
export type PreExpense = z.infer<typeof preExpenseRepresentation>

/** The filters and orders of pre-expenses, in addition to their `status` (contract 4.15). */
export const preExpenseListOptions = { order: 'created_at', attributes: listedBy(preExpense.attributes) } as const satisfies ListOptions

const { description, justification, latitude, longitude, location, liquidate_through_advancement } = expenseAttributes

const collection = { path: '/pre_expenses', params: nothing } as const
const member = { path: '/pre_expenses/:id', params: idParams, query: nothing, response: preExpenseRepresentation, status: 200 } as const
const restore = { ...member, path: '/pre_expenses/:id/restore', action: 'pre_expenses.write', body: nothing } as const

/** The endpoints of pre-expenses (contract 4.15). */
export const preExpenseRoutes = {
  list: route({
    ...collection,
    name: 'pre_expenses.list',
    method: 'GET',
    summary: "List the caller's pre-expenses that wait, were ignored or were converted",
    action: 'pre_expenses.read',
    query: listQuery.extend({ status: z.enum(preExpenseStates, 'inclusion').optional() }),
    body: nothing,
    response: pageOf('pre_expenses', preExpenseRepresentation),
    status: 200,
    list: preExpenseListOptions,
  }),
  create: route({
    ...collection,
    name: 'pre_expenses.create',
    method: 'POST',
    summary: 'Record a pre-expense; a repeat of its external id answers the one that is there',
    action: 'pre_expenses.create',
    query: nothing,
    body: createBody(writableOf(preExpense.attributes)).extend({ extra_information: information.nullish() }),
    response: preExpenseRepresentation,
    status: 201,
    other_status: 200,
  }),
  show: route({
    ...member,
    name: 'pre_expenses.show',
    method: 'GET',
    summary: 'Show a pre-expense',
    action: 'pre_expenses.read',
    body: nothing,
  }),
  ignore: route({
    ...member,
    path: '/pre_expenses/:id/ignore',
    name: 'pre_expenses.ignore',
    method: 'PUT',
    summary: 'Ignore a pre-expense',
    action: 'pre_expenses.write',
    body: nothing,
  }),
  restore: route({ ...restore, name: 'pre_expenses.restore', method: 'PATCH', summary: 'Restore an ignored pre-expense' }),
  restoreByPut: route({ ...restore, name: 'pre_expenses.restore_by_put', method: 'PUT', summary: 'Restore an ignored pre-expense' }),
  convert: route({
    ...member,
    path: '/pre_expenses/:id/convert',
    name: 'pre_expenses.convert',
    method: 'POST',
    summary: 'Convert a pre-expense into an expense; what is not sent comes from the pre-expense',
    action: 'pre_expenses.write',
    body: z.object({
      payer: party('Organization'),
      amount,
      currency: currency.optional(),
      occurred_at: instant.nullish(),
      description: description.schema.optional(),
      tags: tags.optional(),
      latitude: latitude.schema.optional(),
      longitude: longitude.schema.optional(),
      location: location.schema.optional(),
      liquidate_through_advancement: liquidate_through_advancement.schema.optional(),
      /** Extension: why the expense breaks a policy. */
      justification: justification.schema.optional(),
    }),
    response: expenseRepresentation,
  }),
  destroy: route({
    ...member,
    name: 'pre_expenses.destroy',
    method: 'DELETE',
    summary: 'Delete a pre-expense',
    action: 'pre_expenses.write',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
