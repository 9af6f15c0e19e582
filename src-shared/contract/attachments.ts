import { z } from 'zod'
import { changeBody, createBody, demandedByPut, optional, required } from './attributes'
import { optionalText, requiredText } from './fields'
import { attachmentRepresentation, pageOf } from './representations'
import { listQuery, nothing, pathId } from './requests'
import { unfiltered } from './parents'
import { route } from './route'

/** The writable attributes of an attachment (contract 4.13): `file` is the Location that an upload returned. */
export const attachmentAttributes = {
  file: required(requiredText(8000)),
  description: optional(optionalText()),
} as const

/** A representation that is sent back has its image entries under `file`, which ask for no other file. */
const changedFile = z
  .preprocess((value) => (Array.isArray(value) ? undefined : value), requiredText(8000).optional())
  .meta({ type: 'string' })
const changes = changeBody({ ...attachmentAttributes, file: required(changedFile) })

const collection = { params: z.object({ expense_id: pathId }), path: '/expenses/:expense_id/attachments' } as const
const member = {
  params: z.object({ expense_id: pathId, id: pathId }),
  path: '/expenses/:expense_id/attachments/:id',
  query: nothing,
  response: attachmentRepresentation,
  status: 200,
} as const

/** The endpoints of attachments (contract 4.13, supplement 2). */
export const attachmentRoutes = {
  list: route({
    ...collection,
    name: 'attachments.list',
    action: 'expenses.read',
    method: 'GET',
    summary: 'List the attachments of an expense',
    query: listQuery,
    list: unfiltered,
    body: nothing,
    response: pageOf('attachments', attachmentRepresentation),
    status: 200,
  }),
  create: route({
    ...collection,
    name: 'attachments.create',
    action: 'expenses.write',
    method: 'POST',
    summary: 'Attach an uploaded file to an expense',
    query: nothing,
    body: createBody(attachmentAttributes),
    response: attachmentRepresentation,
    status: 201,
  }),
  show: route({
    ...member,
    name: 'attachments.show',
    action: 'expenses.read',
    method: 'GET',
    summary: 'Show an attachment',
    body: nothing,
  }),
  replace: route({
    ...member,
    name: 'attachments.replace',
    action: 'expenses.write',
    method: 'PUT',
    summary: 'Change all attributes of an attachment',
    body: changes,
    demanded: demandedByPut(attachmentAttributes),
  }),
  update: route({
    ...member,
    name: 'attachments.update',
    action: 'expenses.write',
    method: 'PATCH',
    summary: 'Change some attributes of an attachment',
    body: changes,
  }),
  destroy: route({
    ...member,
    name: 'attachments.destroy',
    action: 'expenses.write',
    method: 'DELETE',
    summary: 'Delete an attachment',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
