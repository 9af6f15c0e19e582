import { unaccented } from '#shared/domain/statements/unaccented'

/** The kind of a statement line: a purchase, returned money, a payment of the card itself, a bank's fee. */
export const lineKinds = ['charge', 'refund', 'payment', 'fee'] as const
export type LineKind = (typeof lineKinds)[number]

/** Whole words, separated by commas, or the start of one before `*`. */
const words = (list: string) =>
  new RegExp(
    String.raw`(?<!\p{L})(?:${list
      .split(',')
      .map((word) => word.trim())
      .map((word) => (word.endsWith('*') ? word.slice(0, -1) : String.raw`${word}(?!\p{L})`))
      .join('|')})`,
    'u',
  )

const payments =
  words(`payment*, pymt, pmt, autopay, direct debit, thank you, pagamento*, pagto, pgto, pago, pagos, su pago, abono recibido, debito automatico,
  paiement*, reglement, prelevement, zahlung*, einzug, lastschrift*, ausgleich, uberweisung, kartenausgleich, addebito, saldo carta, betaling*, incasso, verrekening,
  splata*, zaplata, wplata, betalning*, inbetalning*, indbetaling*, innbetaling*, splatka*, platba*, uhrada, odeme*, maksu*, suoritus, befizetes*, torlesztes, plata,
  погашение*, платеж*, оплата, πληρωμη*`)
const easternPayments = /お支払|ご入金|还款|還款|결제대금/
const fees =
  words(`annual fee, late fee, late payment fee, late charge, foreign fee, foreign transaction fee, transaction fee, interest, interest charge*, service charge*, finance charge*, card fee, membership fee, cash advance fee, overlimit fee, over limit fee,
  anuidade, juros, multa, iof, tarifa, tarifas, encargos, juros de mora, anualidad, interes, intereses, comision*, cuota anual, cuota de manejo, seguro de desgravamen,
  cotisation*, frais, interets, agios, commission*, zinsen, sollzinsen, zins, gebuhr*, jahresgebuhr*, auslandseinsatz*, kartenpreis, entgelt*, jahresentgelt,
  interessi, commissioni, commissione, canone mensile, canone annuo, imposta di bollo, debetrente, rente, jaarbijdrage, kaartkosten, koersopslag, provisie,
  odsetki, prowizja, oplata, oplaty, kreditranta, utlaggsranta, drojsmalsranta, arsavgift, valutapaslag, gebyr*, arsgebyr, debetrenter, renter, korko, luottokorko, palkkio*, vuosimaksu,
  uroky, urok z*, poplatek*, faiz*, yillik ucret*, kart ucreti, komisyon*, kamat*, kartyadij, eves dij, dobanda*, процент*, комиссия*, τοκοι, προμηθεια*`)
const easternFees = /手数料|年会費|利息|年费|手续费|年費|이자|연회비|수수료/
const refunds =
  words(`refund*, reversal*, chargeback*, cashback*, estorno*, reembolso*, devoluc*, credito por*, remboursement*, avoir, gutschrift*, erstattung*, ruckerstattung*, storno*, rimborso*, terugbetaling*, retour*,
  zwrot*, aterbetalning*, retur, refusion*, refundering*, hyvitys*, palautus*, vraceni*, vratka*, iade*, visszaterites*, rambursare*, возврат*, επιστροφη*`)
const easternRefunds = /返金|退款|환불/
/** Phrases of a card's own bill: a merchant's text hardly has them. */
const ownBill = words(
  'payment received, payment thank*, payment - thank*, thank you, pagamento recebido, pagamento fatura, pagamento de fatura, pagamento da fatura, pago recibido, su pago, betaling ontvangen',
)

const isRefund = (text: string) => refunds.test(text) || easternRefunds.test(text)
const isPayment = (text: string) => payments.test(text) || easternPayments.test(text)

/** Whether a text says that money came back: a refund, or the payment of the card. */
export const isMoneyBack = (text: string): boolean => {
  const written = unaccented(text)
  return isRefund(written) || ownBill.test(written)
}

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
  const written = unaccented(text)
  if (amount_minor < 0) return type === 'payment' || (isPayment(written) && !isRefund(written)) ? 'payment' : 'refund'
  return type === 'fee' || fees.test(written) || easternFees.test(text) ? 'fee' : 'charge'
}

/** A supplier's name from a line's text: without the acquirer's prefix, repeated spaces and the country at the end. */
export function supplierOf(text: string): string {
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  const bare = plain.replace(/^[A-Z0-9]{2,9}\s?\*\s*/i, '').replace(/\s+(BR|BRA|PRT|ESP|USA|GBR)$/, '')
  return (bare === '' ? plain : bare).slice(0, 200)
}
