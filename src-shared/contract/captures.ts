import { z } from 'zod'
import { captureSources } from '#shared/domain/captures'
import { attachmentRepresentation } from './attachments'
import { flag, id, instant, oneOf, optionalText } from './fields'
import { unfiltered } from './followables'
import { imageEntry, instantText, pageOf } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { route } from './route'

/** The most captures attached at once. */
const maxAttached = 100

/**
 * A captured file that is on no expense yet (extension). It belongs to one user and this instance: no replica gets it. While `processing`, it is safe
 * but may be converted: turned upright, reduced, of another type. An `unusable` one is kept unchanged and cannot be attached; `problem` says why, in
 * the caller's language.
 */
export const captureRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    file_name: z.string(),
    /** A type of attachments; before conversion also `image/heic`, `image/webp`, `image/avif` or `message/rfc822`. */
    content_type: z.string(),
    bytes: z.int(),
    source: z.enum(captureSources),
    state: z.enum(['processing', 'ready', 'unusable']),
    problem: z.object({ code: z.string(), message: z.string() }).nullable(),
    /** When the picture was taken or the mail sent; otherwise when the file was last written or captured. */
    captured_at: instantText,
    /** The same for captures of one expense: several shots, or the attachments of a mail. */
    group: z.string().nullable(),
    note: z.string().nullable(),
    /** The first capture of the same content by the same user. */
    repeat_of: z.int().nullable(),
    /** The expense to which it was attached. */
    expense_id: z.int().nullable(),
    /** Null while there is nothing that a browser may show. */
    url: z.string().nullable(),
    file: z.array(imageEntry),
    created_at: instantText,
    deleted_at: instantText.nullable(),
  })
  .meta({ id: 'Capture' })
export type Capture = z.infer<typeof captureRepresentation>

/** A name shared by the captures of an expense, made by the client. */
const group = z.string('invalid').regex(/^[\w-]{1,64}$/, 'invalid')

const shared = { action: 'captures.use' } as const
const member = { params: idParams, path: '/captures/:id', query: nothing } as const

/** The endpoints of captures (extension). */
export const captureRoutes = {
  list: route({
    ...shared,
    name: 'captures.list',
    method: 'GET',
    path: '/captures',
    summary: "List the caller's captures that are on no expense yet",
    params: nothing,
    query: listQuery,
    list: unfiltered,
    body: nothing,
    response: pageOf('captures', captureRepresentation),
    status: 200,
  }),
  create: route({
    ...shared,
    name: 'captures.create',
    method: 'POST',
    path: '/captures',
    summary: 'Capture a file: the body is its bytes; answered once they are on the disk',
    params: nothing,
    query: z.object({
      source: oneOf(captureSources),
      file_name: z.string('invalid').max(1000, 'too_long:1000').optional(),
      group: group.optional(),
      note: optionalText(1000).optional(),
      /** When the file was last written, for files that do not contain their time. */
      captured_at: instant.optional(),
      /** Whether the location of a picture stays in the file; by default it is removed. */
      keeps_location: flag.optional(),
    }),
    body: z.string(),
    response: captureRepresentation,
    media: { request: 'application/octet-stream' },
    status: 201,
    // The same content from a watched folder is captured once: a repeat returns the existing capture.
    other_status: 200,
  }),
  update: route({
    ...shared,
    ...member,
    name: 'captures.update',
    method: 'PATCH',
    summary: 'Change the group or the note of a capture; `"deleted_at": null` brings a deleted one back',
    body: z.object({ group: group.nullable().optional(), note: optionalText(1000).optional(), deleted_at: z.null('invalid').optional() }),
    response: captureRepresentation,
    status: 200,
  }),
  destroy: route({
    ...shared,
    ...member,
    name: 'captures.destroy',
    method: 'DELETE',
    summary: 'Delete a capture; for a week it can be brought back',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
  attach: route({
    ...shared,
    name: 'captures.attach',
    method: 'POST',
    path: '/captures/attach',
    summary: 'Make captures attachments of an expense, all or none',
    params: nothing,
    query: nothing,
    body: z.object({
      capture_ids: z
        .array(id, { error: ({ input }) => (input === undefined ? 'blank' : 'invalid') })
        .min(1, 'blank')
        .max(maxAttached, `too_many_operations:${maxAttached}`),
      expense_id: id,
    }),
    response: z.object({ attachments: z.array(attachmentRepresentation) }),
    status: 201,
  }),
}
