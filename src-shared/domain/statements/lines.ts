/** The kind of a statement line: a purchase, returned money, a payment of the card itself, a bank's fee. */
export const lineKinds = ['charge', 'refund', 'payment', 'fee'] as const
export type LineKind = (typeof lineKinds)[number]

const payments = /\b(payment|pagamento|pagto|pgto|pago|pago de tarjeta|autopay|direct debit)\b/i
const fees = /\b(annual fee|anuidade|anualidad|interest|juros|intereses|late fee|multa|iof|service charge|tarifa)\b/i

/** The kind of a line, by the bank's type and its text. Returned money is a refund unless it is a payment of the card. */
export function lineKindOf({
  amount_minor,
  text,
  type,
}: {
  readonly amount_minor: number
  readonly text: string
  readonly type: 'fee' | 'payment' | null
}): LineKind {
  if (amount_minor < 0) return type === 'payment' || payments.test(text) ? 'payment' : 'refund'
  return type === 'fee' || fees.test(text) ? 'fee' : 'charge'
}

/** A supplier's name from a line's text: without the acquirer's prefix, repeated spaces and the country at the end. */
export function supplierOf(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const bare = plain.replace(/^[A-Z0-9]{2,9}\s?\*\s*/i, '').replace(/\s+(BR|BRA|PRT|ESP|USA|GBR)$/, '')
  return (bare === '' ? plain : bare).slice(0, 200)
}
