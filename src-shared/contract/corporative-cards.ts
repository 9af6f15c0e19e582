import { z } from 'zod'
import { maskNumbersIn, parseCardNumber } from '#shared/domain/card-numbers'
import { corporativeCard } from '#shared/records/corporative-card'
import { createBody, required } from './attributes'
import { id, requiredText } from './fields'
import { listedBy, recordShape, writableOf } from './record-attributes'
import { recordRoutes } from './record-routes'
import { idParams, nothing } from './requests'

const century = 2000

/** `MM/YY`, parsed into month and four-digit year. */
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

/** The digits of the full number, sent on create only. */
const number = requiredText(50)
  .transform((text, context) => {
    const digits = parseCardNumber(text)
    if (digits !== undefined) return digits
    context.addIssue({ code: 'custom', message: 'invalid' })
    return z.NEVER
  })
  .meta({ type: 'string', description: 'The full number: 12 to 19 digits; spaces and dashes are left out' })

/** The attributes of a card that can be changed. Names are shown, so a card number in one is masked (contract 4.6). */
const attributes = {
  ...writableOf(corporativeCard.attributes),
  name: required(requiredText().transform(maskNumbersIn).meta({ type: 'string', maxLength: 255, minLength: 1 })),
  expiration_date: required(expirationDate),
  organization_id: required(id),
} as const

/** A corporative card (contract 2.8). */
export const corporativeCardRepresentation = z
  .object({
    ...recordShape(corporativeCard),
    /** All digits except the last four are asterisks. */
    number: z.string(),
    flag: z.object({ name: z.string(), image_url: z.string() }),
    expiration_date: z.string(),
    expiration_month: z.int(),
    expiration_year: z.int(),
  })
  .meta({ id: 'CorporativeCard' })
export type CorporativeCard = z.infer<typeof corporativeCardRepresentation>

/** The endpoints of corporative cards (contract 4.6; supplement 3, "Filter and sort attributes"). */
export const corporativeCardRoutes = recordRoutes({
  table: corporativeCard.table,
  one: 'a card',
  collection: { path: '/corporative_cards', params: nothing },
  member: { path: '/corporative_cards/:id', params: idParams },
  attributes,
  representation: corporativeCardRepresentation,
  list: { attributes: { ...listedBy(corporativeCard.attributes), flag: 'text' } },
  create: { body: createBody(attributes).partial({ active: true }).extend({ number, user_id: id.optional() }) },
  actions: {
    list: 'corporative_cards.read',
    create: 'corporative_cards.create',
    write: 'corporative_cards.write',
    destroy: 'corporative_cards.destroy',
  },
  summaries: {
    list: "List the caller's cards, or all that they may see of the organizations that a filter names",
    create: 'Register a card; its full number is not kept',
    destroy: 'Delete a card that no expense is attached to',
  },
})
