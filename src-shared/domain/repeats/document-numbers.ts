/** Document numbers in descriptions: of invoices, receipts and bookings. */
import { LRUCache } from 'lru-cache'

/** Whether two texts name the same thing. */
export type Compared = 'same' | 'different' | 'unknown'

/** A whole word for a document: "No" counts, the beginning of "Nogueira" does not. Then "no." in its spellings. */
const namesDocument =
  /(?<![\p{L}\d])(?:doc(?:umento?)?|nf-?e?|nfc-?e|nfs-?e|nota(?: fiscal)?|cupom|fatura|factura|recibo|invoice|receipt|ticket|bilhete|billete|localizador|pedido|order|n[º°o.])(?![\p{Lu}\p{Ll}])(?:[.:\s]{0,9}n[º°o.](?![\p{Lu}\p{Ll}]))?[.:º°#\s]*([\p{L}\d][\p{L}\d./-]*)/giu
/** An organization's number of a person, which is on each of their expenses. */
const personNumber = /(?:matr[íi]cula|employee|staff|empleado|funcion[áa]ri[oa])[\s.:]{0,9}(?:n[º°o.]|number|#)?[.:º°#\s]{0,9}\d[\d./-]*/giu
/** An airline's booking code, in any case. */
const bookingCode = /^[a-z]{6}$/i
const date = /\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}/g
const taxNumber = /[\d*]{2,3}\.[\d*]{3}\.[\d*]{3}(?:\/[\d*]{4})?-[\d*]{2}/g
const year = /^(?:19|20)\d\d$/

/** Whether two descriptions name the same document, or only different numbers, which means two purchases. */
export function compareDocuments(one: string | null, other: string | null): Compared {
  if (one === null || other === null) return 'unknown'
  const [own, others] = [toNamed(one), toNamed(other)]
  if (own.documents.size > 0 && others.documents.size > 0) return own.documents.isDisjointFrom(others.documents) ? 'different' : 'same'
  return own.numbers.size > 0 && others.numbers.size > 0 && own.numbers.isDisjointFrom(others.numbers) ? 'different' : 'unknown'
}

/** The documents and numbers in a text. */
interface Named {
  readonly documents: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
}

/** The results for recent texts: a new expense is compared with many, and those that arrive together are alike. */
const kept = new LRUCache<string, Named>({ max: 1000 })

function toNamed(text: string): Named {
  const found = kept.get(text) ?? { documents: toDocuments(text), numbers: toNumbers(text) }
  kept.set(text, found)
  return found
}

function toDocuments(text: string): Set<string> {
  const found = [...withoutPeople(text).matchAll(namesDocument)].flatMap(([named, written = '']) => {
    const code = written.replace(/[./-]+$/, '')
    const isBooking = /^loc/i.test(named) && bookingCode.test(code)
    // After other words it is the purchase itself: "FATURA ENERGIA".
    const isLettered = /^doc\P{L}/iu.test(named) && /^[A-Z]{5,}$/.test(code)
    return /\d/.test(code) || isLettered || isBooking ? [toCode(code)] : []
  })
  return new Set(found)
}

/** The text without numbers of sellers and people. */
function withoutPeople(text: string): string {
  return text.replaceAll(taxNumber, ' ').replaceAll(personNumber, ' ')
}

function toNumbers(text: string): Set<string> {
  const bare = withoutPeople(text).replaceAll(date, ' ')
  // Not one expression for words with a digit, which would search again from each letter of a long word without one.
  const found = bare.match(/[\p{L}\d./-]+/gu)?.filter((word) => /\d/.test(word)) ?? []
  return new Set(found.map(toCode).filter((code) => !year.test(code)))
}

/** A number without signs and leading zeros. */
function toCode(text: string): string {
  return fold(text)
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^0+/, '')
}

/** A text in lower case without accents. */
export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
