/** The longest text that is searched for, in characters, and the most words in it. Each word costs a pass through the index. */
export const searchLimits = { characters: 200, words: 10 } as const

/** A word as it is compared: accents and case count for nothing. */
export function foldWord(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

/**
 * The words of a search, each once. Every word also finds what it begins, so one that begins another adds nothing and is left
 * out; accents and case count for nothing.
 */
export function searchWords(search: string): string[] {
  const words = new Map(search.split(/[^\p{L}\p{N}]+/u).map((word) => [foldWord(word), word]))
  const folded = [...words.keys()]
  return [...words].flatMap(([key, word]) => (key === '' || folded.some((other) => other !== key && other.startsWith(key)) ? [] : [word]))
}

/** Whether a search stays within {@link searchLimits}. */
export function isSearchable(search: string): boolean {
  return [...search].length <= searchLimits.characters && searchWords(search).length <= searchLimits.words
}
