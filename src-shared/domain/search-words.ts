/** The longest search text, in characters, and the most words. Each word costs a pass through the index. */
export const searchLimits = { characters: 200, words: 10 } as const

/** A word for comparison, without accents and case. */
export function foldWord(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The words of a search, each once, ignoring accents and case. A word also finds what it begins, so a word that begins another one is left out. */
export function searchWords(search: string): string[] {
  const words = new Map(search.split(/[^\p{L}\p{N}]+/u).map((word) => [foldWord(word), word]))
  const folded = [...words.keys()]
  return [...words].flatMap(([key, word]) => (key === '' || folded.some((other) => other !== key && other.startsWith(key)) ? [] : [word]))
}

/** Whether a search stays within {@link searchLimits}. */
export function isSearchable(search: string): boolean {
  return [...search].length <= searchLimits.characters && searchWords(search).length <= searchLimits.words
}
