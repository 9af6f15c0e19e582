/** The texts of a namespace, by key; they nest. */
export type Texts = { readonly [key: string]: string | Texts }

/**
 * Texts by language and namespace, as i18next takes them. `files`: what each text file holds, by a path that ends in
 * `<language>/<namespace>.json`.
 */
export function toResources(files: Readonly<Record<string, Texts>>): Record<string, Record<string, Texts>> {
  const resources: Record<string, Record<string, Texts>> = {}
  for (const [path, texts] of Object.entries(files)) {
    const [language, file] = path.split('/').slice(-2)
    if (language === undefined || file === undefined) continue
    resources[language] = { ...resources[language], [file.replace(/\.json$/, '')]: withRoundMillions(texts) }
  }
  return resources
}

/** Portuguese and Spanish have a third form, for whole millions: with the number in digits, it reads as any other number does. */
function withRoundMillions(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([key, text]) => {
      const entry = [key, typeof text === 'string' ? text : withRoundMillions(text)] as const
      return key.endsWith('_other') ? [entry, [key.replace(/other$/, 'many'), entry[1]] as const] : [entry]
    }),
  )
}
