import { foldWord } from '#shared/domain/search-words'

/** The words of a text in their order, as SQLite's tokenizer `unicode61` finds them, without accents and case. */
function wordsOf(text: string): string[] {
  return foldWord(text)
    .split(/[^\p{L}\p{N}\p{Co}]+/u)
    .filter(Boolean)
}

/** PostgreSQL numbers the places of words up to this. */
const lastPlace = 16_383

/** A text as a `tsvector` has it: each word with its place. */
export function toWordPlaces(text: string): string {
  return wordsOf(text)
    .map((word, index) => `'${word}':${Math.min(index + 1, lastPlace)}`)
    .join(' ')
}

/** A word or a phrase as a `tsquery` has it: its words follow each other, and the last may go on. */
export function toPrefix(phrase: string): string {
  const words = wordsOf(phrase)
  return words.length === 0 ? '' : `(${words.map((word) => `'${word}'`).join(' <-> ')}:*)`
}
