import { z } from 'zod'
import { changeBody, createBody, demandedByPut } from './attributes'
import { pageOf } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { route } from './route'
import { settlementAttributes, settlementListOptions, settlementShape } from './settlements'

/** The writable attributes of an advancement (contract 4.2). */
export const advancementAttributes = settlementAttributes

/** An advancement (contract 2.4). */
export const advancementRepresentation = z.object(settlementShape).meta({ id: 'Advancement' })
export type Advancement = z.infer<typeof advancementRepresentation>

const collection = { path: '/advancements', params: nothing } as const
const member = {
  path: '/advancements/:id',
  params: idParams,
  query: nothing,
  response: advancementRepresentation,
  status: 200,
} as const

/** The endpoints of advancements (contract 4.2). */
export const advancementRoutes = {
  list: route({
    ...collection,
    name: 'advancements.list',
    method: 'GET',
    summary: 'List the advancements that the caller may see',
    action: 'advancements.read',
    query: listQuery,
    body: nothing,
    response: pageOf('advancements', advancementRepresentation),
    status: 200,
    list: settlementListOptions,
  }),
  create: route({
    ...collection,
    name: 'advancements.create',
    method: 'POST',
    summary: 'Hand out money in advance',
    action: 'advancements.write',
    query: nothing,
    body: createBody(advancementAttributes),
    response: advancementRepresentation,
    status: 201,
  }),
  show: route({
    ...member,
    name: 'advancements.show',
    method: 'GET',
    summary: 'Show an advancement',
    action: 'advancements.read',
    body: nothing,
  }),
  replace: route({
    ...member,
    name: 'advancements.replace',
    method: 'PUT',
    summary: 'Change all attributes of an advancement',
    action: 'advancements.write',
    body: changeBody(advancementAttributes),
    demanded: demandedByPut(advancementAttributes),
  }),
  update: route({
    ...member,
    name: 'advancements.update',
    method: 'PATCH',
    summary: 'Change some attributes of an advancement',
    action: 'advancements.write',
    body: changeBody(advancementAttributes),
  }),
  destroy: route({
    ...member,
    name: 'advancements.destroy',
    method: 'DELETE',
    summary: 'Delete an advancement',
    action: 'advancements.destroy',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
