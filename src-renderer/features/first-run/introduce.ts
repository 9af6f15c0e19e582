import type { Session } from '#shared/contract/instance'
import { preferenceRoutes } from '#shared/contract/preferences'
import { call } from '../../api/client'

/**
 * Gives a person who has just been made the language they chose on this page and the timezone of their browser. What the
 * server does not take stays as it was: nobody is kept out for it.
 */
export async function introduce(session: Session, locale: 'en' | 'pt'): Promise<Session> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const save = (body: { locale: 'en' | 'pt'; timezone?: string }) => call(preferenceRoutes.update, { body })
  const saved = await save({ locale, timezone })
    .catch(() => save({ locale }))
    .catch(() => undefined)
  return saved ? { ...session, user: { ...session.user, locale: saved.locale, timezone: saved.timezone } } : session
}
