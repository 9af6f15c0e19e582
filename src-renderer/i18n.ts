import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, defaultLanguage, pageLanguageOf } from '#shared/domain/locales'
import { type Texts, toResources } from '#shared/i18n/resources'
import { countFormatter } from './ui/values/count-formatter'

const files = import.meta.glob<Texts>('../src-shared/i18n/*/**/*.json', { eager: true, import: 'default' })

/** Starts i18next with every namespace of every language; nothing is loaded later, so a switch shows at once. */
export function startI18n(language: Language): i18n {
  void i18next
    .use(initReactI18next)
    .use(countFormatter)
    .init({
      resources: toResources(files),
      lng: language,
      fallbackLng: defaultLanguage,
      defaultNS: 'ui',
      initAsync: false,
      interpolation: { escapeValue: false, alwaysFormat: true },
    })
  namePage(language)
  return i18next
}

/** Shows the interface in another language, at once. */
export function switchLanguage(language: Language): void {
  namePage(language)
  void i18next.changeLanguage(language)
}

/** Sets what React does not draw: the language of the page, and the name of the landmark of lists, menus and dialogs. */
function namePage(language: Language): void {
  document.documentElement.lang = pageLanguageOf(language)
  document.getElementById('overlays')?.setAttribute('aria-label', i18next.t('overlays', { lng: language }))
}
