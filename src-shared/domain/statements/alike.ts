import { plainText, withoutPrefix } from '#shared/domain/statements/line-texts'

/** How similar a bank's text is to the words of an expense. */

/** Words of company names that identify none. */
const empty = new Set(
  'ltda me epp eireli sa s a ss cia inc llc ltd gmbh srl lda de da do das dos e the of del la el los las y comercio servicos industria br bra sp rj df com www'.split(
    ' ',
  ),
)

/** A text prepared for comparison: its significant words joined, in groups of three letters. */
export interface Telling {
  readonly words: readonly string[]
  readonly parts: ReadonlySet<string>
}

/** Prepares a text. */
export function tellingOf(text: string): Telling {
  const words = withoutPrefix(plainText(text))
    .split(' ')
    .filter((word) => word.length > 1 && !empty.has(word))
  const joined = words.join('')
  const parts = new Set<string>()
  for (let at = 0; at + 3 <= joined.length; at += 1) parts.add(joined.slice(at, at + 3))
  return { words, parts }
}

/** The share of the shorter text's groups that the longer one has: 0 to 1. Banks cut texts off. */
export function likeness(one: Telling, other: Telling): number {
  const [few, many] = one.parts.size <= other.parts.size ? [one, other] : [other, one]
  if (few.parts.size < 2) return few.words.length > 0 && few.words.every((word) => many.words.includes(word)) ? 0.7 : 0
  let shared = 0
  for (const part of few.parts) if (many.parts.has(part)) shared += 1
  return shared / few.parts.size
}
