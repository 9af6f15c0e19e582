import i18next from 'i18next'
import { type Language, languages } from '#shared/domain/locales'
import { toResources } from '#shared/i18n/resources'
import { loadLaterTexts, loadTexts } from './early'

/** A namespace without texts, of the languages all of whose texts are known. */
const complete = 'complete'

/** Makes all texts of a language known, next to those of the one that is shown. Rejects where they cannot be loaded. */
export async function addTexts(language: Language): Promise<void> {
  if (i18next.hasResourceBundle(language, complete)) return
  for (const files of await Promise.all([loadTexts(language), loadLaterTexts(language)]))
    for (const [namespace, texts] of Object.entries(toResources(files)[language] ?? {}))
      i18next.addResourceBundle(language, namespace, texts)
  i18next.addResourceBundle(language, complete, {})
}

/** Makes the texts known that are not in the first load: to be awaited by everything that is loaded later and has texts. */
export async function addLaterTexts(): Promise<void> {
  const shown = languages.find((language) => language === i18next.language)
  if (shown) await addTexts(shown)
}
