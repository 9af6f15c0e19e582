import { z } from 'zod'

/** Parts of requests that routes share. */
export const nothing = z.unknown()

/** A positive page number or size; `per_page` above 100 counts as 100 (supplement, "Paging"). */
export const pageNumber = z
  .union([z.int(), z.string().regex(/^\d+$/).transform(Number)], 'invalid')
  .pipe(z.number('invalid').int('invalid').positive('invalid'))

/** The parameters of a paged list, without its filters. */
export const pageQuery = z.object({
  page: pageNumber.optional(),
  per_page: pageNumber.optional(),
  after: z.string('invalid').max(3000, 'invalid').optional().meta({ description: 'Where the page begins, as `Link` names it' }),
})

/** The parameters of a filtered list; the filter grammar parses `q`. */
export const listQuery = pageQuery.extend({ q: z.record(z.string(), z.unknown()).optional(), sort: z.string().optional() })

/** An id in a path: an integer, negative for a provisional one of a replica. */
export const pathId = z
  .string()
  .regex(/^-?\d{1,15}$/)
  .transform(Number)

/** The `:id` of a member path. */
export const idParams = z.object({ id: pathId })
/** The `:organization_id` of a collection path. */
export const organizationParams = z.object({ organization_id: pathId })
