import { z } from 'zod'
import { advancementDevolution } from '#shared/records/advancement-devolution'
import { createBody } from './attributes'
import { listedBy, recordShape, writableOf } from './record-attributes'
import { pageOf } from './representations'
import { listQuery, nothing } from './requests'
import { type ListOptions, route } from './route'

/** Money that the receiver of advancements returned to the payer (contract 2.5). */
export const devolutionRepresentation = z.object(recordShape(advancementDevolution)).meta({ id: 'AdvancementDevolution' })
export type AdvancementDevolution = z.infer<typeof devolutionRepresentation>

/** How devolutions are filtered and sorted. */
export const devolutionListOptions = { attributes: listedBy(advancementDevolution.attributes) } as const satisfies ListOptions

const collection = { path: '/advancement_devolutions', params: nothing } as const

/** The endpoints of devolutions (contract 4.3). Listing them is an extension: a ledger shows every line of its balance. */
export const devolutionRoutes = {
  list: route({
    ...collection,
    name: 'advancement_devolutions.list',
    method: 'GET',
    summary: 'List the devolutions that the caller may see',
    action: 'advancements.read',
    query: listQuery,
    body: nothing,
    response: pageOf('advancement_devolutions', devolutionRepresentation),
    status: 200,
    list: devolutionListOptions,
  }),
  create: route({
    ...collection,
    name: 'advancement_devolutions.create',
    method: 'POST',
    summary: 'Record money that was given back',
    action: 'devolutions.write',
    query: nothing,
    body: createBody(writableOf(advancementDevolution.attributes)),
    response: devolutionRepresentation,
    status: 201,
  }),
}
