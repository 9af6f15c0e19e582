import { app } from 'electron'
import type { Language } from '#shared/domain/locales'
import { negotiateLanguage } from '#shared/i18n/translations'

/** The language of the computer if Outlay has it: the default before a person chooses one. */
export function systemLanguage(): Language {
  return negotiateLanguage(app.getLocale()) ?? 'en'
}
