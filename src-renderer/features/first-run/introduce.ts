import type { Session } from '#shared/contract/instance/instance'
import { preferenceRoutes } from '#shared/contract/preferences'
import type { Language } from '#shared/domain/locales'
import { call } from '../../api/client'

/**
 * Gives a new user the language they chose on this page and the timezone of their browser. If the server rejects
 * one, it stays unchanged: that must not lock anyone out.
 */
export async function introduce(session: Session, language: Language): Promise<Session> {
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()
  const save = (body: { language: Language; timezone?: string }) => call(preferenceRoutes.update, { body })
  const saved = await save({ language, timezone })
    .catch(() => save({ language }))
    .catch(() => undefined)
  return saved ? { ...session, user: { ...session.user, locale: saved.language, timezone: saved.timezone } } : session
}
