import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInstance } from 'i18next'
import type { Language } from '#shared/domain/locales'
import { toResources } from '#shared/i18n/resources'

const folder = join(import.meta.dirname, '../../../src-shared/i18n')

/** The texts of the interface in a language: `words('pt')('exports:title')`. Throws for one that there is not. */
export function words(language: Language): (key: string, values?: Readonly<Record<string, string | number>>) => string {
  const files = globSync(`${language}/**/*.json`, { cwd: folder })
  const texts = createInstance()
  void texts.init({
    ...{ lng: language, fallbackLng: false, initAsync: false, interpolation: { escapeValue: false } },
    resources: toResources(Object.fromEntries(files.map((path) => [path, JSON.parse(readFileSync(join(folder, path), 'utf8'))]))),
  })
  return (key, values = {}) => {
    if (!texts.exists(key, values)) throw new Error(`There is no text ${key} in ${language}.`)
    return texts.t(key, values)
  }
}
