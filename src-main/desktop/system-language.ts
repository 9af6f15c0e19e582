import { app } from 'electron'
import { type Locale, negotiateLocale } from '#shared/i18n/translations'

/** The language of the computer, as far as we speak it: what is said before anybody has chosen one. */
export function systemLanguage(): Locale {
  return negotiateLocale(app.getLocale()) ?? 'en'
}
