import { z } from 'zod'
import { advancement } from '#shared/records/advancement'
import { createBody } from './attributes'
import { recordShape, writableOf } from './record-attributes'
import { recordRoutes } from './record-routes'
import { idParams, nothing } from './requests'
import { settlementListOptions } from './settlements'

const attributes = writableOf(advancement.attributes)

/** An advancement (contract 2.4). */
export const advancementRepresentation = z.object(recordShape(advancement)).meta({ id: 'Advancement' })
export type Advancement = z.infer<typeof advancementRepresentation>

/** The endpoints of advancements (contract 4.2). */
export const advancementRoutes = recordRoutes({
  table: advancement.table,
  one: 'an advancement',
  collection: { path: '/advancements', params: nothing },
  member: { path: '/advancements/:id', params: idParams },
  attributes,
  representation: advancementRepresentation,
  list: settlementListOptions,
  create: { body: createBody(attributes) },
  actions: { list: 'advancements.read', write: 'advancements.write', destroy: 'advancements.destroy' },
  summaries: { list: 'List the advancements that the caller may see', create: 'Hand out money in advance' },
})
