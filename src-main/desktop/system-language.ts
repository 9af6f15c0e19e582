import { app } from 'electron'
import { type Locale, negotiateLocale } from '#shared/i18n/translations'

/** The language of the computer if Outlay has it: the default before a person chooses one. */
export function systemLanguage(): Locale {
  return negotiateLocale(app.getLocale()) ?? 'en'
}
