import { squeeze } from '#shared/readings/rows'

/**
 * What the words next to an amount mean in languages other than English and Portuguese, whose words are in `amount-labels.ts`. A word with `^` is a
 * whole label: it is part of too many others.
 */
const words: Readonly<Record<string, string>> = {
  grand: `zu zahlen, zahlbetrag, rechnungsbetrag, gesamtbetrag, endbetrag, zahlungsbetrag, total ttc, net à payer, montant dû, reste à payer, à payer,
    total a pagar, importe a pagar, totale complessivo, totale documento, da pagare, te betalen, att betala, å betale, til betaling, at betale,
    maksettava, do zapłaty, k úhradě, fizetendő, de plata, ödenecek, πληρωτεο, к оплате, 合計金額, お支払金額, ご請求額, 받을금액, 결제금액,
    应付, 應付, 实付, المبلغ المستحق, לתשלום, harus dibayar, genel toplam, 총액, 総額, amount payable, balance to pay, total to pay, you paid, to pay`,
  total: `summe, gesamt, ^betrag, somme, montant total, totale, ^importo, ^importe, totaal, summa, totalt, sum nok, ^sum, ^i alt, ^ialt, yhteensä, razem, ^suma,
    celkem, összesen, végösszeg, toplam, συνολο, итого, всего, 合計, 합계, 총계, 合计, 總計, 总计, المجموع, الإجمالي, סה״כ, סהכ, รวม, tổng, ^fare, amount charged,
    jumlah, celkově, spolu, mokėti, kopā, kokku, ukupno, skupaj, общо, montant`,
  sub: `zwischensumme, podsuma, ^netto, nettobetrag, nettosumme, summe netto, sous-total, total ht, montant ht, ^ht, subtotale, imponibile, base imponible, ^neto,
    subtotaal, delsumma, delsum, välisumma, mezisoučet, részösszeg, ara toplam, μερικο, подытог, 小計, 소계, 小计, 小計, المجموع الفرعي, סכום ביניים,
    zzgl, hors taxe, sin iva, senza iva, excl btw, exkl moms, before tip, before taxes, taxable, 공급가액, 税抜, base`,
  tax: `mwst, ^ust, ^inklust, umsatzsteuer, steuer, ^tva, dont tva, montant tva, totaltva, ^di cui iva, impuesto, imposta, btw, moms, ^mva, herav mva, ^alv, sis alv, ^ptu, suma ptu, podatek, ^dph,
    ^áfa, kdv, ^φπα, φπα, ндс, 消費税, 内税, 外税, 부가세, 税额, 稅額, ضريبة, מע״מ, מעמ, ภาษี, ppn, hst, ^pst, qst, tps, tvq, ^igv, ^itbis, bedienung, servicio, coperto, service charge,
    city tax, kurtaxe, taxe de séjour, ^cgst, ^sgst, surcharge, levy`,
  taxIncluded: `inkl mwst, inkl ust, incl btw, inkl moms, iva incluido, iva inclusa, ivato, ttc, sis alv, inkl mva, s dph, z vat, brutto, kdv dahil, 税込, 内消費税`,
  discount: `rabatt, nachlass, remise, réduction, descuento, sconto, korting, rabat, alennus, zniżka, sleva, kedvezmény, reducere, indirim, εκπτωση, скидка, 割引,
    値引, 할인, 折扣, خصم, הנחה, diskon, coupon, promo`,
  tender: `^bar, barzahlung, bargeld, gegeben, ec-karte, girocard, kartenzahlung, espèces, carte bancaire, ^carte, ^cb, reçu, efectivo, tarjeta, recibido, entregado,
    contanti, contante, carta di credito, bancomat, pagato, ^pin, pinpas, betaald, contant, kort, kontant, kontanter, bankkort, betalkort, käteinen, kortti,
    gotówka, karta, hotovost, készpénz, bankkártya, numerar, nakit, kredi kartı, μετρητα, наличные, картой, 現金, お預り, クレジット, 현금, 카드, 신용카드, 现金, 現金, نقد, مدى, מזומן,
    אשראי, tunai, knet, mada, bayar, vpay, twint, swish, vipps, interac, eftpos, cheque, check tendered`,
  change: `rückgeld, wechselgeld, zurück, rendu, monnaie, su cambio, vuelto, ^resto, wisselgeld, ^terug, växel, tillbaka, ^vekslepenger, ^retur, byttepenge, vaihtoraha,
    reszta, vráceno, visszajáró, ^rest, para üstü, ρεστα, сдача, お釣, お釣り, おつり, 釣銭, 거스름, 找零, 找贖, الباقي, עודף, kembali, kembalian, tiền thừa`,
  rounding: `rundung, arrondi, redondeo, arrotondamento, afronding, öresavrundning, avrundning, øreavrunding, pyöristys, zaokrąglenie, zaokrouhlení, kerekítés, yuvarlama, 端数`,
  quantity: `menge, anzahl, stück, quantité, ^qté, articles, cantidad, artículos, pezzi, articoli, aantal, stuks, ^antal, ^antall, ilość, množství, mennyiség, adet,
    数量, 点数, 수량, guests, covers, gäste, couverts, nights, nächte, nuits, noches, litres, liter, litros, litri, 人数, ^table, ^room, ^zimmer`,
  tip: `^tip, ^tips, ^tipamount, ^addtip, ^plustip, gratuity, trinkgeld, pourboire, propina, mancia, fooi, ^dricks, drikkepenge, gorjeta, napiwek, spropitné, borravaló, bahşiş, φιλοδωρημα, чаевые, 팁, 小费, إكرامية, טיפ`,
  prepaid: `anzahlung, vorauszahlung, bereits bezahlt, acompte, arrhes, déjà payé, anticipo, acconto, aanbetaling, förskott, forskudd, zaliczka, záloha, előleg, avans, depozito,
    deposit paid, prepaid, prepayment, advance paid, already paid, sinal, adiantamento, deposit`,
}

/** The pattern of the words of a meaning, of letters from `squeeze`; undefined for other meanings. */
export function wordsOf(meaning: string): string | undefined {
  const all = words[meaning]?.split(',').map((word) => word.trim())
  return all?.map((word) => (word.startsWith('^') ? `^${squeeze(word)}(?:\\p{Sc}|[a-z]{3})?$` : squeeze(word))).join('|')
}

/** The pattern of labels that are nothing but a word of some meanings, and perhaps a currency. */
export function wholeWordsOf(...meanings: readonly string[]): string {
  const all = meanings.flatMap((meaning) => (words[meaning] ?? '').split(',')).map((word) => squeeze(word))
  return String.raw`^(?:\p{Sc}|[a-z]{3})?(?:${all.join('|')})(?:\p{Sc}|[a-z]{2,3})?$`
}
