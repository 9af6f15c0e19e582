import { z } from 'zod'
import { reimbursement } from '#shared/records/reimbursement'
import { createBody } from './attributes'
import { expenseRepresentation } from './expenses'
import { currency } from './fields'
import { recordShape, writableOf } from './record-attributes'
import { recordRoutes } from './record-routes'
import { instantText } from './representations'
import { idParams, nothing, pathId } from './requests'
import { route } from './route'
import { settlementListOptions } from './settlements'

const attributes = writableOf(reimbursement.attributes)

/** A reimbursement (contract 2.2). */
export const reimbursementRepresentation = z
  .object({ ...recordShape(reimbursement), expenses: z.array(expenseRepresentation) })
  .meta({ id: 'Reimbursement' })
export type Reimbursement = z.infer<typeof reimbursementRepresentation>

/** The preview of a reimbursement: nothing is stored, so it has no identity (supplement 2, "Reimbursements"). */
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

/** The endpoints of reimbursements (contract 4.1). */
export const reimbursementRoutes = {
  ...recordRoutes({
    table: reimbursement.table,
    one: 'a reimbursement',
    collection: { path: '/reimbursements', params: nothing },
    member: { path: '/reimbursements/:id', params: idParams },
    attributes,
    representation: reimbursementRepresentation,
    list: settlementListOptions,
    create: { body: createBody(attributes) },
    actions: { list: 'reimbursements.read', write: 'reimbursements.write' },
    summaries: {
      list: 'List the reimbursements that the caller may see',
      create: 'Pay a user, and with it approved expenses',
      destroy: 'Delete a reimbursement: its expenses are approved again',
    },
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
}
