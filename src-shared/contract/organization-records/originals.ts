import { z } from 'zod'
import { nothing, pathId } from '../requests'
import { route } from '../route'

/** An original file of an expense. */
export const originalRepresentation = z
  .object({
    attachment_id: z.int(),
    file_name: z.string(),
    content_type: z.string(),
    bytes: z.int(),
    /** The hash of the original file; `prepared_sha256`: of the attached file, the same if nothing was processed. */
    sha256: z.string(),
    prepared_sha256: z.string(),
    /** When the file was made, if known, and when it arrived. */
    captured_at: z.string().nullable(),
    received_at: z.string(),
    /** When its receipt was deleted. */
    deleted_at: z.string().nullable(),
    /** When another file replaced it in the receipt. */
    replaced_at: z.string().nullable(),
    url: z.string(),
  })
  .meta({ id: 'Original' })

/** Originals of receipts. Not part of the contract. */
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
