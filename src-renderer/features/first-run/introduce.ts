import type { Session } from '#shared/contract/instance'
import { preferenceRoutes } from '#shared/contract/preferences'
import type { Language } from '#shared/domain/locales'
import { call } from '../../api/client'

/**
 * Gives a person who has just been made the language they chose on this page and the timezone of their browser. What the
 * server does not take stays as it was: nobody is kept out for it.
 */
export async function introduce(session: Session, language: Language): Promise<Session> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const save = (body: { language: Language; timezone?: string }) => call(preferenceRoutes.update, { body })
  const saved = await save({ language, timezone })
    .catch(() => save({ language }))
    .catch(() => undefined)
  return saved ? { ...session, user: { ...session.user, locale: saved.language, timezone: saved.timezone } } : session
}
