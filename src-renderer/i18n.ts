import i18next, { type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { type Language, localeOf, pageLanguageOf } from '#shared/domain/locales'
import { toResources } from '#shared/i18n/resources'
import { loadTexts } from './api/early/early'
import { addTexts } from './api/early/later-texts'
import { notifyFailure } from './state/notices'
import { usePreferences } from './state/preferences'
import { countFormatter } from './ui/values/count-formatter'

export { addLaterTexts } from './api/early/later-texts'

/** Shows texts in a language: at first those that the first load needs, all when the page begins again. Rejects where they cannot be loaded. */
export async function startI18n(language: Language): Promise<i18n> {
  if (i18next.isInitialized) {
    await addTexts(language)
    await i18next.changeLanguage(language)
  } else {
    await i18next
      .use(initReactI18next)
      .use(countFormatter)
      .init({
        resources: toResources(await loadTexts(language)),
        lng: language,
        fallbackLng: false,
        defaultNS: 'ui',
        initAsync: false,
        interpolation: { escapeValue: false, alwaysFormat: true },
      })
  }
  namePage(language)
  return i18next
}

/** The language that was chosen last. */
let wanted: Language | undefined

/** Shows the interface in another language, now and on the next start. Where its texts cannot be loaded, it stays as it is. */
export async function switchLanguage(language: Language): Promise<void> {
  wanted = language
  try {
    await addTexts(language)
  } catch {
    return notifyFailure({
      title: i18next.t('ui:languageNotLoaded.title', { language: localeOf(language).name }),
      message: i18next.t('ui:languageNotLoaded.todo'),
    })
  }
  // Another was chosen while these texts were on their way.
  if (wanted !== language) return
  usePreferences.getState().set({ language })
  namePage(language)
  await i18next.changeLanguage(language)
}

/** Sets what React does not draw: the language of the page, and the name of the landmark of lists, menus and dialogs. */
function namePage(language: Language): void {
  document.documentElement.lang = pageLanguageOf(language)
  document.getElementById('overlays')?.setAttribute('aria-label', i18next.t('ui:overlays', { lng: language }))
}
