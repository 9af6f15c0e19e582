import { foldWord } from '#shared/domain/search-words'

/** The words of a text in order, as SQLite's tokenizer `unicode61` splits them, without accents and case. */
function wordsOf(text: string): string[] {
  return foldWord(text)
    .split(/[^\p{L}\p{N}\p{Co}]+/u)
    .filter(Boolean)
}

/** PostgreSQL's highest position of a word. */
const lastPlace = 16_383

/** A text as a `tsvector`: each word with its position. */
export function toWordPlaces(text: string): string {
  return wordsOf(text)
    .map((word, index) => `'${word}':${Math.min(index + 1, lastPlace)}`)
    .join(' ')
}

/** A word or phrase as a `tsquery`: its words are adjacent, and the last is a prefix. */
export function toPrefix(phrase: string): string {
  const words = wordsOf(phrase)
  return words.length === 0 ? '' : `(${words.map((word) => `'${word}'`).join(' <-> ')}:*)`
}
