import { z } from 'zod'
import { tag } from '#shared/records/tag'
import { organizationRecordRoutes } from './record-routes'
import { listedBy, recordShape, writableOf } from './record-attributes'
import type { ListOptions } from './route'

/** The writable attributes of a tag (contract 4.7). */
export const tagAttributes = writableOf(tag.attributes)

/** A tag (contract 2.10). */
export const tagRepresentation = z
  .object({
    ...recordShape(tag),
    /** Who may use it; empty: every member. Shown to those who manage tags. */
    restricted_user_ids: z.array(z.int()).optional(),
    usable: z.boolean(),
  })
  .meta({ id: 'Tag' })
export type Tag = z.infer<typeof tagRepresentation>

/** How tags are filtered and sorted. */
export const tagListOptions = { order: 'created_at', attributes: listedBy(tag.attributes) } as const satisfies ListOptions

/** The endpoints of tags (contract 4.7). */
export const tagRoutes = organizationRecordRoutes({
  table: tag.table,
  one: 'a tag',
  many: 'tags',
  attributes: tagAttributes,
  representation: tagRepresentation,
  list: tagListOptions,
  actions: { list: 'tags.list', show: 'tags.show', write: 'tags.write' },
  createPath: '/organization/:organization_id/tags',
})
