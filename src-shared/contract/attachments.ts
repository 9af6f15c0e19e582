import { z } from 'zod'
import { attachment } from '#shared/records/attachment'
import { changeBody, createBody, demandedByPut, required } from './attributes'
import { requiredText } from './fields'
import { shownShape, writableOf } from './record-attributes'
import { imageEntry, instantText, pageOf, userRepresentation } from './representations'
import { listQuery, nothing, pathId } from './requests'
import { unfiltered } from './followables'
import { route } from './route'

/** A receipt of an expense (contract 2.9). */
export const attachmentRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    ...shownShape(attachment.attributes),
    uploaded_at: instantText,
    content_type: z.string(),
    file_name: z.string(),
    bytes: z.int(),
    url: z.string(),
    file: z.array(imageEntry),
    /** A picture for a full screen, with a longest side of 1600 pixels; null if the file has none. Extension. */
    preview_url: z.string().nullable(),
    user: userRepresentation,
    version: z.int(),
    created_at: instantText,
    updated_at: instantText,
  })
  .meta({ id: 'Attachment' })
export type AttachmentRepresentation = z.infer<typeof attachmentRepresentation>

/** The writable attributes of an attachment (contract 4.13): `file` is the Location that an upload returned. */
export const attachmentAttributes = { file: required(requiredText(8000)), ...writableOf(attachment.attributes) } as const

/** When a representation is sent back, `file` has its image entries, which do not request another file. */
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
