import { z } from 'zod'
import { maskNumbersIn, parseCardNumber } from '#shared/domain/card-numbers'
import { changeBody, createBody, demandedByPut, required } from './attributes'
import { flag, id, requiredText } from './fields'
import { instantText, link, pageOf, partyObject } from './representations'
import { idParams, listQuery, nothing } from './requests'
import { type ListOptions, route } from './route'

const century = 2000

/** `MM/YY`, as the month and the year of four digits that it means. */
const expirationDate = z
  .string({ error: ({ input }) => (input === undefined || input === null ? 'blank' : 'invalid') })
  .trim()
  .min(1, 'blank')
  .transform((text, context) => {
    const [, month, year] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(text) ?? []
    if (month !== undefined) return { month: Number(month), year: century + Number(year) }
    context.addIssue({ code: 'custom', message: 'invalid' })
    return z.NEVER
  })
  .meta({ type: 'string', description: 'MM/YY' })

/** The full number, sent on create only: its digits. */
const number = requiredText(50)
  .transform((text, context) => {
    const digits = parseCardNumber(text)
    if (digits !== undefined) return digits
    context.addIssue({ code: 'custom', message: 'invalid' })
    return z.NEVER
  })
  .meta({ type: 'string', description: 'The full number: 12 to 19 digits; spaces and dashes are left out' })

/** The attributes of a card that can be changed; names are shown, so a card number in one is masked (contract 4.6). */
export const corporativeCardAttributes = {
  name: required(requiredText().transform(maskNumbersIn).meta({ type: 'string', maxLength: 255, minLength: 1 })),
  expiration_date: required(expirationDate),
  active: required(flag),
  organization_id: required(id),
} as const

/** A corporative card (contract 2.8). */
export const corporativeCardRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    name: z.string(),
    /** All digits but the last four are asterisks. */
    number: z.string(),
    flag: z.object({ name: z.string(), image_url: z.string() }),
    expiration_date: z.string(),
    expiration_month: z.int(),
    expiration_year: z.int(),
    active: z.boolean(),
    user: partyObject,
    organization: partyObject,
    created_at: instantText,
    updated_at: instantText,
    _links: z.array(link),
  })
  .meta({ id: 'CorporativeCard' })
export type CorporativeCard = z.infer<typeof corporativeCardRepresentation>

/** How cards are filtered and sorted (contract 4.6; supplement 3, "Filter and sort attributes"). */
export const corporativeCardListOptions = {
  attributes: {
    id: 'integer',
    name: 'text',
    flag: 'text',
    organization_id: 'integer',
    active: 'flag',
    created_at: 'instant',
    updated_at: 'instant',
  },
} as const satisfies ListOptions

const collection = { path: '/corporative_cards', params: nothing } as const
const member = {
  path: '/corporative_cards/:id',
  params: idParams,
  query: nothing,
  response: corporativeCardRepresentation,
  status: 200,
} as const

/** The endpoints of corporative cards (contract 4.6). */
export const corporativeCardRoutes = {
  list: route({
    ...collection,
    name: 'corporative_cards.list',
    method: 'GET',
    summary: "List the caller's cards, or all that they may see of the organizations that a filter names",
    action: 'corporative_cards.read',
    query: listQuery,
    body: nothing,
    response: pageOf('corporative_cards', corporativeCardRepresentation),
    status: 200,
    list: corporativeCardListOptions,
  }),
  create: route({
    ...collection,
    name: 'corporative_cards.create',
    method: 'POST',
    summary: 'Register a card; its full number is not kept',
    action: 'corporative_cards.create',
    query: nothing,
    body: createBody(corporativeCardAttributes).partial({ active: true }).extend({ number, user_id: id.optional() }),
    response: corporativeCardRepresentation,
    status: 201,
  }),
  show: route({
    ...member,
    name: 'corporative_cards.show',
    method: 'GET',
    summary: 'Show a card',
    action: 'corporative_cards.read',
    body: nothing,
  }),
  replace: route({
    ...member,
    name: 'corporative_cards.replace',
    method: 'PUT',
    summary: 'Change all attributes of a card',
    action: 'corporative_cards.write',
    body: changeBody(corporativeCardAttributes),
    demanded: demandedByPut(corporativeCardAttributes),
  }),
  update: route({
    ...member,
    name: 'corporative_cards.update',
    method: 'PATCH',
    summary: 'Change some attributes of a card',
    action: 'corporative_cards.write',
    body: changeBody(corporativeCardAttributes),
  }),
  destroy: route({
    ...member,
    name: 'corporative_cards.destroy',
    method: 'DELETE',
    summary: 'Delete a card that no expense is attached to',
    action: 'corporative_cards.destroy',
    body: nothing,
    response: z.null(),
    status: 204,
  }),
}
