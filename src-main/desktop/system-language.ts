import { app } from 'electron'
import type { Language } from '#shared/domain/locales'
import { negotiateLanguage } from '#shared/i18n/translations'

/** The computer's language if Outlay has it: the default until a person chooses one. */
export function systemLanguage(): Language {
  return negotiateLanguage(app.getLocale()) ?? 'en'
}
