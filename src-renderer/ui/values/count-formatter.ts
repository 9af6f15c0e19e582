import type { FormatterModule } from 'i18next'
import { defaultLanguage, languageOfTag } from '#shared/domain/locales'
import { formatCount } from './format'

/** Writes how many there are (`count`) with the language's separators, in every text. */
export const countFormatter: FormatterModule = {
  type: 'formatter',
  init: () => undefined,
  add: () => undefined,
  addCached: () => undefined,
  format: (...[given, , tag, options]: Parameters<FormatterModule['format']>) => {
    const value: unknown = given
    if (typeof value === 'string') return value
    if (typeof value !== 'number') return ''
    return options?.interpolationkey === 'count' ? formatCount(value, languageOfTag(tag ?? '') ?? defaultLanguage) : String(value)
  },
}
