/** What a line of a statement is: a purchase, money that came back, a payment of the card itself, a fee of the bank. */
export const lineKinds = ['charge', 'refund', 'payment', 'fee'] as const
export type LineKind = (typeof lineKinds)[number]

const payments = /\b(payment|pagamento|pagto|pgto|pago|pago de tarjeta|autopay|direct debit)\b/i
const fees = /\b(annual fee|anuidade|anualidad|interest|juros|intereses|late fee|multa|iof|service charge|tarifa)\b/i

/** What a line is, by what the bank calls it and by its text. Of what came back, only payments of the card count as no refund. */
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

/** The text of a line as the name of a supplier: without what acquirers put before it, its double spaces and its trailing country. */
export function supplierOf(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const bare = plain.replace(/^[A-Z0-9]{2,9}\s?\*\s*/i, '').replace(/\s+(BR|BRA|PRT|ESP|USA|GBR)$/, '')
  return (bare === '' ? plain : bare).slice(0, 200)
}
