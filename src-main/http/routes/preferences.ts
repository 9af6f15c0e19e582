import { preferenceRoutes } from '#shared/contract/preferences'
import { invalid, notFound } from '#shared/domain/errors'
import { contractLocales } from '#shared/domain/locales'
import { findUser } from '#main/store/records/users/user-reader'
import { listTimezones } from '#shared/domain/timezones'
import { etagOf } from '#main/use-cases/access/preconditions'
import { updatePreferences } from '#main/use-cases/users/update-preferences'
import { type Endpoint, mutation, query } from '../endpoint'
import { toPreferences } from '../representations/preferences'

/** The contract's names of languages (4.17). */
const localeNames = { en: 'English (US)', pt: 'Portuguese (Brazil)' } as const

/** Locales, timezones and the caller's preferences (contract 4.17). */
export const preferenceEndpoints: Endpoint[] = [
  query(preferenceRoutes.listLocales, () =>
    Promise.resolve({ body: { locales: contractLocales.map((code) => ({ [code]: localeNames[code] })) } }),
  ),
  query(preferenceRoutes.listTimezones, ({ deps }) => Promise.resolve({ body: [...listTimezones(deps.clock.now())] })),
  query(preferenceRoutes.show, async (context) => {
    const user = await findUser(context.reader, context.caller.user_id)
    if (!user) throw notFound()
    return { body: await toPreferences(context, user), etag: etagOf(user) }
  }),
  ...[preferenceRoutes.replace, preferenceRoutes.update].map((route) =>
    mutation(route, async (context, { body }) => {
      const user = await updatePreferences(context.tx, body)
      return { body: await toPreferences(context, user), etag: etagOf(user) }
    }),
  ),
  mutation(preferenceRoutes.updateUser, async (context, { body: { user: given } }) => {
    const locale = contractLocales.find((code) => code === given.locale)
    if (given.locale !== undefined && locale === undefined) throw invalid('locale', 'inclusion')
    const user = await updatePreferences(context.tx, { locale, timezone: given.timezone })
    return { body: { user: await toPreferences(context, user) }, etag: etagOf(user) }
  }),
]
