import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { intlLocaleOf, type Language } from './ui/values/format'

type Texts = Record<string, unknown>

const files = import.meta.glob<Texts>('../src-shared/i18n/*/*.json', { eager: true, import: 'default' })

function toResources(): Record<string, Record<string, Texts>> {
  const resources: Record<string, Record<string, Texts>> = {}
  for (const [path, texts] of Object.entries(files)) {
    const [language, file] = path.split('/').slice(-2)
    if (language === undefined || file === undefined) continue
    resources[language] = { ...resources[language], [file.replace(/\.json$/, '')]: texts }
  }
  return resources
}

/** Starts i18next with every namespace of both languages; nothing is loaded later, so a switch shows at once. */
export function startI18n(language: Language): i18n {
  void i18next.use(initReactI18next).init({
    resources: toResources(),
    lng: language,
    fallbackLng: 'en',
    defaultNS: 'ui',
    initAsync: false,
    interpolation: { escapeValue: false },
  })
  document.documentElement.lang = intlLocaleOf(language)
  return i18next
}

/** Shows the interface in another language, at once. */
export function switchLanguage(language: Language): void {
  document.documentElement.lang = intlLocaleOf(language)
  void i18next.changeLanguage(language)
}
