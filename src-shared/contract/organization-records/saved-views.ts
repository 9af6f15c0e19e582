import { z } from 'zod'
import { savedView } from '#shared/records/saved-view'
import { listedBy, recordShape, writableOf } from '../record-attributes'
import { organizationRecordRoutes } from '../record-routes'
import type { ListOptions } from '../route'

/** A named view of Review (extension of the contract). */
export const savedViewRepresentation = z.object(recordShape(savedView)).meta({ id: 'SavedView' })
export type SavedViewRepresentation = z.infer<typeof savedViewRepresentation>

const list = { order: 'created_at', attributes: listedBy(savedView.attributes) } as const satisfies ListOptions

/** The endpoints of saved views. */
export const savedViewRoutes = organizationRecordRoutes({
  table: savedView.table,
  one: 'a saved view',
  many: 'saved views',
  attributes: writableOf(savedView.attributes),
  representation: savedViewRepresentation,
  list,
  actions: { list: 'saved_views.list', show: 'saved_views.list', write: 'saved_views.write', create: 'saved_views.create' },
})
