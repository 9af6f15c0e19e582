import { z } from 'zod'
import { user } from '#shared/records/user'
import { changeBody, demandedByPut } from './attributes'
import { shownShape, writableOf } from './record-attributes'
import { link } from './representations'
import { nothing } from './requests'
import { route } from './route'

const attributes = writableOf(user.attributes)

/** A user's preferences (contract 2.17). */
export const preferencesRepresentation = z
  .object({ id: z.int(), uid: z.string(), version: z.int(), ...shownShape(user.attributes), _links: z.array(link) })
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
    body: changeBody(attributes),
    demanded: demandedByPut(attributes),
  }),
  update: route({
    ...own,
    name: 'preferences.update',
    action: 'account.manage',
    method: 'PATCH',
    summary: "Change some of the caller's preferences",
    body: changeBody(attributes),
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
