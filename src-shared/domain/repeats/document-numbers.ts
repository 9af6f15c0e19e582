/** Numbers of documents that descriptions name: of invoices, receipts and bookings. */
import { LRUCache } from 'lru-cache'

/** What two texts say of one thing. */
export type Compared = 'same' | 'different' | 'unknown'

/** A word for a document, whole: "No" is one, the beginning of "Nogueira" is none. Then, where it is written, "no." as well. */
const namesDocument =
  /(?<![\p{L}\d])(?:doc(?:umento?)?|nf-?e?|nfc-?e|nfs-?e|nota(?: fiscal)?|cupom|fatura|factura|recibo|invoice|receipt|ticket|bilhete|billete|localizador|pedido|order|n[º°o.])(?![\p{Lu}\p{Ll}])(?:[.:\s]{0,9}n[º°o.](?![\p{Lu}\p{Ll}]))?[.:º°#\s]*([\p{L}\d][\p{L}\d./-]*)/giu
/** The number by which an organization knows a person: it is on each of their expenses. */
const personNumber = /(?:matr[íi]cula|employee|staff|empleado|funcion[áa]ri[oa])[\s.:]{0,9}(?:n[º°o.]|number|#)?[.:º°#\s]{0,9}\d[\d./-]*/giu
/** What airlines call a booking by, however it is typed. */
const bookingCode = /^[a-z]{6}$/i
const date = /\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}/g
const taxNumber = /[\d*]{2,3}\.[\d*]{3}\.[\d*]{3}(?:\/[\d*]{4})?-[\d*]{2}/g
const year = /^(?:19|20)\d\d$/

/** Whether two descriptions name the same document, or numbers of which none is the same: then they are of two purchases. */
export function compareDocuments(one: string | null, other: string | null): Compared {
  if (one === null || other === null) return 'unknown'
  const [own, others] = [toNamed(one), toNamed(other)]
  if (own.documents.size > 0 && others.documents.size > 0) return own.documents.isDisjointFrom(others.documents) ? 'different' : 'same'
  return own.numbers.size > 0 && others.numbers.size > 0 && own.numbers.isDisjointFrom(others.numbers) ? 'different' : 'unknown'
}

/** What a text names: documents, and any numbers. */
interface Named {
  readonly documents: ReadonlySet<string>
  readonly numbers: ReadonlySet<string>
}

/** What texts name that were looked at last: a new expense is compared with many, and those that come together say the same. */
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
    // After other words it is what was bought: "FATURA ENERGIA".
    const isLettered = /^doc\P{L}/iu.test(named) && /^[A-Z]{5,}$/.test(code)
    return /\d/.test(code) || isLettered || isBooking ? [toCode(code)] : []
  })
  return new Set(found)
}

/** Without the numbers of sellers and people. */
function withoutPeople(text: string): string {
  return text.replaceAll(taxNumber, ' ').replaceAll(personNumber, ' ')
}

function toNumbers(text: string): Set<string> {
  const bare = withoutPeople(text).replaceAll(date, ' ')
  // Not one expression for words with a digit: it would look for one again from each letter of a long word that has none.
  const found = bare.match(/[\p{L}\d./-]+/gu)?.filter((word) => /\d/.test(word)) ?? []
  return new Set(found.map(toCode).filter((code) => !year.test(code)))
}

/** A number without signs and leading zeros. */
function toCode(text: string): string {
  return fold(text)
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/^0+/, '')
}

/** A text without accents, in small letters. */
export function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
