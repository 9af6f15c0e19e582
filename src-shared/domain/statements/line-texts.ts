/** How a bank writes the text of a purchase: what two texts of one day and amount say about each other. */

/** Words, also joined without spaces. */
interface Words {
  readonly words: readonly string[]
  readonly joined: string
}

/** A text prepared for comparison, without the prefix of an acquirer. `part`: the instalment that it counts, such as 2 of 3; `rest`: without that. */
export interface LineText extends Words {
  readonly plain: string
  readonly part: { readonly number: number; readonly of: number } | null
  readonly rest: Words
}

/**
 * `same`: only case, accents and punctuation differ; `alike`: one is cut, or extended; `other`: another name or number; `contrary`: another
 * instalment, which is never the same line.
 */
export type TextRelation = 'same' | 'alike' | 'other' | 'contrary'

/** The prefixes of acquirers and wallets before a merchant's name. */
const prefixes =
  /^(pag|pg|mp|mercpago|mercadopago|pagseguro|sumup|sq|stone|cielo|iz|ifd|ec|paypal|google|apple com bill|zettle|dl|ame|picpay|rede|getnet)\s*\*?\s+/
/** The shortest texts that are taken for cut ones: within a word, and within a number. */
const shortestCut = { word: 5, number: 10 }
/** The shortest word that names a merchant. */
const shortestName = 3
const mostParts = 99

/** A text without case, punctuation and repeated spaces. */
export function plainText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** A plain text without the prefix of an acquirer. */
export function withoutPrefix(plain: string): string {
  return plain.replace(prefixes, '')
}

/** Prepares a text. */
export function readText(text: string): LineText {
  const plain = plainText(text)
  const { part, rest } = splitPart(text)
  const whole = wordsOf(plain)
  return { plain, part, ...whole, rest: part ? wordsOf(plainText(rest)) : whole }
}

function wordsOf(plain: string): Words {
  const words = withoutPrefix(plain).split(' ')
  return { words: words.map(fold), joined: words.join('') }
}

/** A word as it is written without the letters that some banks lack. */
const fold = (word: string) =>
  word
    .replaceAll('ß', 'ss')
    .replaceAll(/[øö]/gu, 'o')
    .replaceAll('ł', 'l')
    .replaceAll('đ', 'd')
    .replaceAll(/([aou])e/gu, '$1')

/** The last "2/3", "02 de 10" or "2 of 3" in a text whose first number is not above the second, and the text without it. */
function splitPart(text: string): { readonly part: LineText['part']; readonly rest: string } {
  const found = [...text.matchAll(/(?<![\d/.,-])(\d{1,2})\s*(?:\/|\bde\b|\bof\b)\s*(\d{1,2})(?![\d/.,-])/giu)].at(-1)
  const [number, of] = [Number(found?.[1]), Number(found?.[2])]
  if (!found || !(number >= 1 && of >= 2 && number <= of && of <= mostParts)) return { part: null, rest: text }
  return { part: { number, of }, rest: `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}` }
}

/** Whether a text counts a second or later instalment: its day may be that of the purchase, months before the statement. */
export function isLaterPart({ part }: LineText): boolean {
  return part !== null && part.number > 1
}

/** What two texts of one day and amount say about each other. */
export function relateTexts(one: LineText, other: LineText): TextRelation {
  const [a, b] = [one.part, other.part]
  if (a && b && (a.number !== b.number || a.of !== b.of)) return 'contrary'
  if (one.plain === other.plain) return 'same'
  const [these, those] = a && b ? [one.rest, other.rest] : [one, other]
  const [short, long] = these.joined.length <= those.joined.length ? [these, those] : [those, these]
  return isWithin(short, long) ? 'alike' : 'other'
}

/** Whether a text is the other one, cut or without some of its words. */
function isWithin(short: Words, long: Words): boolean {
  if (isCut(short.joined, long.joined)) return true
  if (!short.words.some((word) => word.length >= shortestName && /\p{L}/u.test(word))) return false
  const others = new Set(long.words)
  return short.words.every((word, index) => {
    if (others.has(word)) return true
    const isLast = index === short.words.length - 1 && short.joined.length >= shortestCut.number
    return isLast && long.words.some((whole) => whole.startsWith(word) && !/\d/.test(whole))
  })
}

/** Whether a joined text is the other one cut at its end. */
function isCut(short: string, long: string): boolean {
  if (!long.startsWith(short)) return false
  const isInNumber = /\d$/.test(short) && /^\d/.test(long.slice(short.length))
  return short.length === long.length || short.length >= (isInNumber ? shortestCut.number : shortestCut.word)
}

/** How much of the longer text the shorter one has: 0 to 1, for choosing among texts that are alike. */
export function sharedLength(one: LineText, other: LineText): number {
  const [few, many] = [one.joined.length, other.joined.length].toSorted((a, b) => a - b)
  return (few ?? 0) / Math.max(1, many ?? 1)
}
