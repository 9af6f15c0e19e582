import { createInstance } from 'i18next'
import enActivities from './en/activities.json'
import enDesktop from './en/desktop.json'
import enErrors from './en/errors.json'
import enImport from './en/import.json'
import enInvitation from './en/invitation.json'
import enMail from './en/mail.json'
import enNotifications from './en/notifications.json'
import enStart from './en/start.json'
import enStatus from './en/status.json'
import ptActivities from './pt/activities.json'
import ptDesktop from './pt/desktop.json'
import ptErrors from './pt/errors.json'
import ptImport from './pt/import.json'
import ptInvitation from './pt/invitation.json'
import ptMail from './pt/mail.json'
import ptNotifications from './pt/notifications.json'
import ptStart from './pt/start.json'
import ptStatus from './pt/status.json'

/** The languages of the service (contract 4.17). */
export const locales = ['en', 'pt'] as const
export type Locale = (typeof locales)[number]

const instance = createInstance()
void instance.init({
  lng: 'en',
  fallbackLng: false,
  initAsync: false,
  defaultNS: 'errors',
  interpolation: { escapeValue: false },
  resources: {
    en: {
      desktop: enDesktop,
      errors: enErrors,
      start: enStart,
      status: enStatus,
      activities: enActivities,
      mail: enMail,
      notifications: enNotifications,
      import: enImport,
      invitation: enInvitation,
    },
    pt: {
      desktop: ptDesktop,
      errors: ptErrors,
      start: ptStart,
      status: ptStatus,
      activities: ptActivities,
      mail: ptMail,
      notifications: ptNotifications,
      import: ptImport,
      invitation: ptInvitation,
    },
  },
})

const fixed = { en: instance.getFixedT('en'), pt: instance.getFixedT('pt') }

/** The server's own texts: `translate('pt', 'errors:forbidden')`. */
export function translate(locale: Locale, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  return fixed[locale](key, params)
}

/** The language that an `Accept-Language` header asks for, by its weights; undefined when it names none of ours. */
export function negotiateLocale(header: string | undefined): Locale | undefined {
  if (header === undefined) return undefined
  const ranges = header.split(',').map((part) => {
    const [range = '', ...parameters] = part.trim().split(';')
    const q = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
    return { language: range.toLowerCase().split('-')[0], weight: q === undefined ? 1 : Number(q) }
  })
  const best = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return locales.find((locale) => locale === best.find(({ language }) => locales.some((known) => known === language))?.language)
}
