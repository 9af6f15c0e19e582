import { type CodeFacts, toDay, toMinorUnits } from './facts'
import { isNif } from '#shared/domain/tax-ids'

/** Documents that state an amount to pay or paid, unlike quotes, delivery notes and credit notes. */
const payable = new Set(['FT', 'FS', 'FR', 'ND', 'RC', 'RG', 'AA', 'DA', 'TV', 'TD', 'RP', 'RE', 'CS', 'LD', 'RA'])

/** The tax number on receipts without a named buyer. */
const anyBuyer = '999999990'

/**
 * Reads the QR code of a Portuguese invoice: `A:NIF*B:buyer*C:country*D:type*E:status*F:date*G:number*H:ATCUD*…*O:total*…`. Undefined if it was
 * cancelled, or a part is missing or repeated.
 */
export function readPortuguese(text: string): CodeFacts | undefined {
  const parts = text.split('*').map((part) => part.split(/:(.*)/s, 2))
  const values = new Map(parts.map(([name = '', value = '']) => [name, value]))
  if (values.size !== parts.length) return undefined
  const [tax_id, type, status, date, number, atcud, total, hash] = ['A', 'D', 'E', 'F', 'G', 'H', 'O', 'Q'].map((name) => values.get(name))
  if (tax_id === undefined || !isNif(tax_id) || !payable.has(type ?? '') || status === undefined || status === 'A') return undefined
  if (!number || !atcud || !hash || date === undefined || !/^\d{8}$/.test(date)) return undefined
  const issued_on = toDay(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`)
  const total_minor = toMinorUnits(total ?? '', 'EUR')
  if (issued_on === undefined || total_minor === undefined) return undefined
  const buyer = values.get('B')
  return {
    document: 'pt',
    // The seller's document number, which by law is never repeated.
    key: `PT ${tax_id} ${number}`,
    tax_id,
    month: issued_on.slice(0, 7),
    number,
    currency: 'EUR',
    issued_on,
    time: undefined,
    total_minor,
    buyer_tax_id: buyer === undefined || buyer === anyBuyer ? undefined : buyer,
  }
}
