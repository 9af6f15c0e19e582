import { z } from 'zod'
import { createBody, optional, required } from './attributes'
import { amount, currency, instant, party } from './fields'
import { instantText, link, pageOf, partyObject } from './representations'
import { listQuery, nothing } from './requests'
import { type ListOptions, route } from './route'

/** The attributes of a devolution (contract 4.3). */
export const devolutionAttributes = {
  payer: required(party('Organization')),
  receiver: required(party('User')),
  amount: required(amount),
  date: required(instant),
  currency: optional(currency),
} as const

/** Money that the receiver of advancements gave back to the payer (contract 2.5). */
export const devolutionRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    amount: z.number(),
    currency: z.string(),
    date: instantText,
    payer: partyObject,
    receiver: partyObject,
    responsible_user: partyObject,
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'AdvancementDevolution' })
export type AdvancementDevolution = z.infer<typeof devolutionRepresentation>

/** How devolutions are filtered and sorted. */
export const devolutionListOptions = {
  attributes: {
    id: 'integer',
    amount: 'amount',
    currency: 'text',
    payer_id: 'integer',
    receiver_id: 'integer',
    responsible_user_id: 'integer',
    date: 'instant',
    created_at: 'instant',
    updated_at: 'instant',
  },
} as const satisfies ListOptions

const collection = { path: '/advancement_devolutions', params: nothing } as const

/** The endpoints of devolutions (contract 4.3). Listing them is an extension: a ledger shows every line that makes its balance. */
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
    body: createBody(devolutionAttributes),
    response: devolutionRepresentation,
    status: 201,
  }),
}
