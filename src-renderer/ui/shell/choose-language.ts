import { languages } from '#shared/domain/locales'
import { switchLanguage } from '../../i18n'

/** Shows the interface in the language of that code, now and on the next start; any other code changes nothing. */
export function chooseLanguage(code: string): void {
  const language = languages.find((known) => known === code)
  if (language === undefined) return
  void switchLanguage(language)
}
