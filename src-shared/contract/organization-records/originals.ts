import { z } from 'zod'
import { nothing, pathId } from '../requests'
import { route } from '../route'

/** A file of an expense as it was captured. */
export const originalRepresentation = z
  .object({
    attachment_id: z.int(),
    file_name: z.string(),
    content_type: z.string(),
    bytes: z.int(),
    /** The hash of the file as it came; `prepared_sha256`: of the file that is attached, the same where nothing was prepared. */
    sha256: z.string(),
    prepared_sha256: z.string(),
    /** When the file was made, as far as anyone says, and when it arrived. */
    captured_at: z.string().nullable(),
    received_at: z.string(),
    /** When its receipt was deleted. */
    deleted_at: z.string().nullable(),
    /** When another file took its place in the receipt. */
    replaced_at: z.string().nullable(),
    url: z.string(),
  })
  .meta({ id: 'Original' })

/** Originals of receipts. No part of the contract. */
export const originalRoutes = {
  ofExpense: route({
    method: 'GET',
    name: 'originals.list',
    action: 'originals.list',
    path: '/expenses/:expense_id/originals',
    summary: 'List the files of an expense as they were captured, those of deleted receipts too',
    params: z.object({ expense_id: pathId }),
    query: nothing,
    body: nothing,
    response: z.object({ originals: z.array(originalRepresentation) }),
    status: 200,
  }),
}
