import { z } from 'zod'
import { contractLocales, languages } from '#shared/domain/locales'
import { changeBody, demandedByPut, extension, optional } from './attributes'
import { currency, image, oneOf, requiredText } from './fields'
import { imageEntry, link } from './representations'
import { nothing } from './requests'
import { route } from './route'

const locale = oneOf(contractLocales)
const timezone = requiredText(100)

/** What a user can be mentioned by: letters, digits and underscores, and dots and hyphens between them. */
const mentionName = requiredText(50).pipe(z.string().regex(/^\w+([.-]\w+)*$/, 'invalid'))

/** The writable attributes of the caller's preferences (contract 4.17). */
export const preferenceAttributes = {
  locale: optional(locale),
  language: extension(oneOf(languages)),
  timezone: optional(timezone),
  mention_name: optional(mentionName),
  default_currency: optional(currency),
  avatar: extension(image),
} as const

/** A user's preferences (contract 2.17). */
export const preferencesRepresentation = z
  .object({
    id: z.int(),
    uid: z.string(),
    version: z.int(),
    locale: z.enum(contractLocales),
    /** Their language: any of Outlay's, where `locale` has the contract's alone. */
    language: z.enum(languages),
    timezone: z.string(),
    mention_name: z.string(),
    default_currency: z.string(),
    avatar: z.array(imageEntry),
    _links: z.array(link),
  })
  .meta({ id: 'Preferences' })
export type Preferences = z.infer<typeof preferencesRepresentation>

const plain = { params: nothing, query: nothing, status: 200 } as const
const own = { ...plain, path: '/preferences', response: preferencesRepresentation } as const

/** The endpoints of locales, timezones and preferences (contract 4.17). */
export const preferenceRoutes = {
  listLocales: route({
    ...plain,
    name: 'locales.list',
    action: 'constants.read',
    method: 'GET',
    path: '/locales',
    summary: 'List the languages',
    body: nothing,
    response: z.object({ locales: z.array(z.record(z.string(), z.string())) }),
  }),
  listTimezones: route({
    ...plain,
    name: 'timezones.list',
    action: 'constants.read',
    method: 'GET',
    path: '/timezones',
    summary: 'List the timezones with their present offsets',
    body: nothing,
    response: z.array(z.object({ name: z.string(), description: z.string() })),
  }),
  show: route({
    ...own,
    name: 'preferences.show',
    action: 'account.manage',
    method: 'GET',
    summary: "Show the caller's preferences",
    body: nothing,
  }),
  replace: route({
    ...own,
    name: 'preferences.replace',
    action: 'account.manage',
    method: 'PUT',
    summary: "Change all of the caller's preferences",
    body: changeBody(preferenceAttributes),
    demanded: demandedByPut(preferenceAttributes),
  }),
  update: route({
    ...own,
    name: 'preferences.update',
    action: 'account.manage',
    method: 'PATCH',
    summary: "Change some of the caller's preferences",
    body: changeBody(preferenceAttributes),
  }),
  updateUser: route({
    ...plain,
    name: 'user.preferences.update',
    action: 'account.manage',
    method: 'PATCH',
    path: '/user/preferences',
    summary: "Change the caller's language or timezone",
    body: z.object({
      user: z.object(
        { locale: z.string('invalid').optional(), timezone: z.string('invalid').optional() },
        { error: ({ input }) => (input == null ? 'blank' : 'invalid') },
      ),
    }),
    response: z.object({ user: preferencesRepresentation }),
  }),
}
