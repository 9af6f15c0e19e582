/** The texts of a namespace by key, nested. */
export type Texts = { readonly [key: string]: string | Texts }

/**
 * Texts by language and namespace, in i18next's form. `files`: the content of each text file, by a path that ends in `<language>/<namespace>.json`,
 * or in `<language>/records/<record>.json` with texts of several namespaces.
 */
export function toResources(files: Readonly<Record<string, Texts>>): Record<string, Record<string, Texts>> {
  const resources: Record<string, Record<string, Texts>> = {}
  for (const [path, texts] of Object.entries(files)) {
    const [, language, folder, file] = /([^/]+)\/(records\/)?([^/]+)\.json$/.exec(path) ?? []
    if (language === undefined || file === undefined) continue
    const all = merge(resources[language] ?? {}, withRoundMillions(folder === undefined ? { [file]: texts } : texts))
    resources[language] = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, Texts] => typeof entry[1] === 'object'))
  }
  return resources
}

function merge(texts: Texts, more: Texts): Texts {
  const merged = Object.entries(more).map(([key, text]): [string, string | Texts] => {
    const known = texts[key]
    return [key, typeof text === 'object' && typeof known === 'object' ? merge(known, text) : text]
  })
  return { ...texts, ...Object.fromEntries(merged) }
}

/** Portuguese and Spanish have a third plural form, for whole millions; with digits, it reads like the others. */
function withRoundMillions(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => {
      const entry = [key, typeof text === 'string' ? text : withRoundMillions(text)] as const
      return key.endsWith('_other') ? [entry, [key.replace(/other$/, 'many'), entry[1]] as const] : [entry]
    }),
  )
}
