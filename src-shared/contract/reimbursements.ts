import { z } from 'zod'
import { changeBody, createBody, demandedByPut, extension } from './attributes'
import { currency, id } from './fields'
import { expenseRepresentation } from './expenses'
import { instantText, pageOf } from './representations'
import { idParams, listQuery, nothing, pathId } from './requests'
import { route } from './route'
import { settlementAttributes, settlementListOptions, settlementShape } from './settlements'

/** The writable attributes of a reimbursement (contract 4.1); `expense_ids`: the expenses that it pays (supplement 2). */
export const reimbursementAttributes = {
  ...settlementAttributes,
  expense_ids: extension(z.array(id, 'invalid').max(1000, 'invalid').nullable()),
} as const

/** A reimbursement (contract 2.2). */
export const reimbursementRepresentation = z
  .object({ ...settlementShape, expenses: z.array(expenseRepresentation) })
  .meta({ id: 'Reimbursement' })
export type Reimbursement = z.infer<typeof reimbursementRepresentation>

/** A reimbursement as it could be: nothing of it is stored, so it has no identity (supplement 2, "Reimbursements"). */
export const newReimbursement = reimbursementRepresentation
  .extend({
    id: z.null(),
    uid: z.null(),
    version: z.null(),
    date: instantText.nullable(),
    responsible_user: reimbursementRepresentation.shape.responsible_user.nullable(),
    created_at: z.null(),
    updated_at: z.null(),
  })
  .meta({ id: 'NewReimbursement' })
export type NewReimbursement = z.infer<typeof newReimbursement>

const queryId = z.union([pathId, z.int()], { error: ({ input }) => (input === undefined || input === '' ? 'blank' : 'invalid') })

const collection = { path: '/reimbursements', params: nothing } as const
const member = {
  path: '/reimbursements/:id',
  params: idParams,
  query: nothing,
  response: reimbursementRepresentation,
  status: 200,
} as const

/** The endpoints of reimbursements (contract 4.1). */
export const reimbursementRoutes = {
  list: route({
    ...collection,
    name: 'reimbursements.list',
    method: 'GET',
    summary: 'List the reimbursements that the caller may see',
    action: 'reimbursements.read',
    query: listQuery,
    body: nothing,
    response: pageOf('reimbursements', reimbursementRepresentation),
    status: 200,
    list: settlementListOptions,
  }),
  preview: route({
    name: 'reimbursements.new',
    method: 'GET',
    path: '/reimbursements/new',
    summary: 'Show the reimbursement that would pay all that a user is owed in a currency',
    action: 'reimbursements.write',
    params: nothing,
    query: z.object({ payer_id: queryId, receiver_id: queryId, currency }),
    body: nothing,
    response: newReimbursement,
    status: 200,
  }),
  create: route({
    ...collection,
    name: 'reimbursements.create',
    method: 'POST',
    summary: 'Pay a user, and with it approved expenses',
    action: 'reimbursements.write',
    query: nothing,
    body: createBody(reimbursementAttributes),
    response: reimbursementRepresentation,
    status: 201,
  }),
  show: route({
    ...member,
    name: 'reimbursements.show',
    method: 'GET',
    summary: 'Show a reimbursement',
    action: 'reimbursements.read',
    body: nothing,
  }),
  replace: route({
    ...member,
    name: 'reimbursements.replace',
    method: 'PUT',
    summary: 'Change all attributes of a reimbursement',
    action: 'reimbursements.write',
    body: changeBody(reimbursementAttributes),
    demanded: demandedByPut(reimbursementAttributes),
  }),
  update: route({
    ...member,
    name: 'reimbursements.update',
    method: 'PATCH',
    summary: 'Change some attributes of a reimbursement',
    action: 'reimbursements.write',
    body: changeBody(reimbursementAttributes),
  }),
  destroy: route({
    ...member,
    name: 'reimbursements.destroy',
    method: 'DELETE',
    summary: 'Delete a reimbursement: its expenses are approved again',
    action: 'reimbursements.write',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
