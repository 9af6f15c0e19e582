import { createInstance } from 'i18next'
import { type Language, defaultLanguage, languageOfTag } from '#shared/domain/locales'
import { type Texts, toResources } from './resources'

/** The namespaces of the server and the desktop. */
const files = import.meta.glob<Texts>(
  ['./*/{activities,audit,desktop,errors,import,invitation,mail,notifications,start,status}.json', './*/records/*.json'],
  { eager: true, import: 'default' },
)

const instance = createInstance()
void instance.init({
  lng: defaultLanguage,
  fallbackLng: false,
  initAsync: false,
  defaultNS: 'errors',
  interpolation: { escapeValue: false },
  resources: toResources(files),
})

/** A text of the server: `translate('pt', 'errors:forbidden')`. */
export function translate(language: Language, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  return instance.t(key, { ...params, lng: language })
}

/** The language of an `Accept-Language` header, by its weights; undefined if it names none of ours. */
export function negotiateLanguage(header: string | undefined): Language | undefined {
  if (header === undefined) return undefined
  const ranges = header.split(',').map((part) => {
    const [range = '', ...parameters] = part.trim().split(';')
    const q = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
    return { language: languageOfTag(range), weight: q === undefined ? 1 : Number(q) }
  })
  const best = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  return best.find(({ language }) => language !== undefined)?.language
}
