import { type MappedColumn, mappedColumns } from '#shared/domain/statements/mapping'
import { unaccented } from '#shared/domain/statements/unaccented'

/** A heading without case, accents and punctuation, in any script. */
export function toHeading(header: string): string {
  return unaccented(header)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

const list = (words: string): readonly string[] => words.split(',').map((word) => word.trim())

/** Headings of the world's banks by meaning, most specific first, in the form of {@link toHeading}. */
const headings: Readonly<Record<MappedColumn, readonly string[]>> = {
  day: list(
    `transaction date, data da compra, data compra, data transacao, data movimento, fecha de compra, fecha de operacion, fecha operacion, date of transaction,
    date operation, date de l operation, data operazione, data operacji, transactiedatum, transaktionsdatum, transaktionsdato, umsatzdatum, belegdatum, kaufdatum,
    islem tarihi, datum transakce, datum provedeni, data transakcji, tranzakcio datuma, data tranzactiei, дата операции, ご利用日, 利用日, 取引日, 交易日期, 거래일자, 거래일,
    date, data, fecha, datum, dato, tarih, tarihi, paivamaara, kirjauspaiva, pvm, дата, ημερομηνια, 日付, 日期, 年月日, 날짜, tanggal,
    posting date, posted date, post date, posted, completed date, data lancamento, data do lancamento, data mov, booking date, buchungstag, buchungsdatum, buchung,
    date de comptabilisation, date comptable, data contabile, boekdatum, boekingsdatum, bokforingsdag, bokforingsdatum, bokfort dato, bogforingsdato, bokforingsdato, datum zauctovani, datum zaúctovani,
    data ksiegowania, konyveles datuma, txn date, tran date, trans date, dia, effective date, started date, rentedatum, value date, wertstellung, valutadatum, valuta`,
  ),
  debit: list(
    `debit, debit amount, debits, debito, debitos, debe, cargo, cargos, paid out, money out, withdrawal, withdrawals, withdrawal amt, withdrawal amount, saida, saidas, soll, lastschrift, depense, depenses,
    debit eur, uscite, addebiti, addebito, dare, af, uitgaven, ut, ud, obciazenia, obciazenie, wydatki, vydaje, borc, cikan, terheles, debet, 出金, お引出し, お支払金額, 支出, 借方, 출금, 출금액, 찾으신금액, χρεωση, расход, списание, gasto, gastos, egreso, retiro, retiros, charges`,
  ),
  credit: list(
    `credit, credit amount, credits, credito, creditos, haber, abono, abonos, paid in, money in, deposit, deposits, deposit amt, deposit amount, entrada, entradas, haben, gutschrift, recette, recettes,
    credit eur, entrate, accrediti, accredito, avere, bij, inkomsten, inn, ind, uznania, uznanie, wplywy, prijmy, alacak, giren, jovairas, kredit, 入金, お預入れ, お預り金額, 收入, 貸方, 입금, 입금액, 맡기신금액, πιστωση, приход, зачисление, ingreso, ingresos, deposito, depositos, payments`,
  ),
  original_amount: list(
    `original amount, foreign amount, valor original, valor em us, valor em dolar, valor usd, importe original, amount in foreign currency, betrag in fremdwahrung, fremdwahrungsbetrag, originalbetrag, montant en devise, montant d origine,
    importo in divisa, importo originale, oorspronkelijk bedrag, originalbelopp, kwota oryginalna, kwota transakcji w walucie oryginalnej, original belop, castka v cizi mene, puvodni castka, 現地通貨額, 外幣金額, local amount`,
  ),
  original_currency: list(
    `original currency, foreign currency, moeda original, moeda de origem, moneda original, local currency, fremdwahrung, originalwahrung, devise d origine, valuta originale, waluta oryginalna, puvodni mena, oorspronkelijke valuta, 現地通貨`,
  ),
  amount: list(
    `amount, transaction amount, billing amount, amount in account currency, valor em r, valor r, valor brl, amount brl, amount usd, amount eur, amount gbp, valor da transacao, valor,
    importe, importe eur, montante, monto, betrag, umsatz, betrag eur, umsatz in eur, buchungsbetrag, montant, montant eur, montant de l operation, importo, importo eur, bedrag, bedrag eur, belopp, belob, belop, kwota, kwota transakcji, kwota operacji, castka, suma, osszeg,
    tutar, islem tutari, maara, summa, сумма, сумма операции, ποσο, 金額, 利用金額, ご利用金額, 金额, 交易金额, 交易金額, 금액, 이용금액, jumlah, nominal, iznos, znesek, total, value, quantia, sum, net amount`,
  ),
  direction: list(
    `credit debit indicator, debit credit, credit debit, dr cr, cr dr, dc, d c, af bij, soll haben, s h, debit kredit, sens, natureza, debito credito, d k, transaction direction, borc alacak, 入払区分, 收支, 收 支, type, tipo, transaction type`,
  ),
  balance: list(
    `balance, running balance, balance after, available balance, account balance, closing balance, bal, saldo, saldo r, saldo eur, saldo final, saldo disponible, saldo actual, saldo contable, saldo nach buchung, kontostand, solde, solde eur, saldo dopo mutazione, saldo contabile, saldo dopo operazione, saldo po operacji,
    saldo na mutatie, saldo efter, bokfort saldo, zustatek, zustatok, egyenleg, bakiye, sold, остаток, баланс, υπολοιπο, 残高, 差引残高, 余额, 餘額, 帳戶餘額, 잔액, 거래후잔액, saldo akhir, stanje`,
  ),
  currency: list(
    `currency, account currency, moeda, moneda, billing currency, divisa, wahrung, waehrung, devise, valuta, muntsoort, munt, waluta, mena, penznem, doviz, para birimi, valiuta, valuutta, валюта, νομισμα, 通貨, 币种, 幣別, 통화, mata uang, ccy`,
  ),
  reference: list(
    `reference, transaction id, fitid, transaction reference, id, identificador, referencia, reference number, ref no, chq ref no, numero do documento, documento, autorizacao, codigo, referenz, kundenreferenz, referenznummer, reference de l operation,
    riferimento, referentie, kenmerk, numer referencyjny, referens, reference id, referanse, id transakce, cislo dokladu, referans, dekont no, 照会番号, 参照番号, ref`,
  ),
  text: list(
    `description, transaction description, descricao, descripcion, merchant, merchant name, estabelecimento, lancamento, historico, concepto, comercio, payee, title, titulo, details, transaction details, detalhes, memo, name, narrative, narration, particulars, transaction remarks, transaction, appears on your statement as, descritivo, movimento,
    beschreibung, buchungstext, verwendungszweck, auftraggeber empfanger, partner name, counterparty, counterparty name, empfanger, beguenstigter zahlungspflichtiger, handler, umsatztext, libelle, libelle de l operation, libelle operation, nature de l operation, descrizione, descrizione operazione, causale, esercente, omschrijving, naam omschrijving, mededelingen, naam tegenpartij,
    opis, opis transakcji, opis operacji, tytul, tytul operacji, nazwa odbiorcy, popis, nazev protiuctu, zprava pro prijemce, poznamka, obchodnik, beskrivelse, tekst, beskrivning, text, rubrik, transaktion, selite, saaja, saaja maksaja, aciklama, islem, islem aciklamasi, megnevezes, kozlemeny, partner neve, descriere, detalii tranzactie,
    описание, описание операции, назначение платежа, περιγραφη, αιτιολογια, 摘要, 内容, ご利用先, 利用店名, 利用先, お取引内容, 交易摘要, 交易描述, 商户名称, 적요, 내용, 가맹점명, keterangan, uraian, opis placila, concept, detalle, glosa, referencia`,
  ),
  status: list(
    `status, state, transaction status, estado, situacao, statut, etat, stato, stan, stav, durum, tila, allapot, статус, stare, 状態, 状态, 交易状态, 상태, status transakcji`,
  ),
  account: list(
    `card number, card no, card, last 4 digits, card last 4, account number, account no, account, numero do cartao, cartao, final do cartao, final cartao, numero de tarjeta, tarjeta, n tarjeta, numero de cuenta, cuenta, conta, kartennummer, karte, iban auftragskonto, auftragskonto, kontonummer, konto, iban, numero de compte, compte,
    carte, numero de carte, numero carta, carta, conto, rekeningnummer, rekening, kaartnummer, numer karty, karta, rachunek, numer rachunku, cislo karty, cislo uctu, kortnummer, kort, korttinumero, kart no, kart numarasi, hesap no, card member number, account id, カード番号, 卡号, 카드번호, номер карты, номер счета`,
  ),
}

const headingsOf = new Map(mappedColumns.map((field) => [field, headings[field].map(toHeading)] as const))

/** The columns whose headings have a meaning, best first. */
export function columnsNamed(field: MappedColumn, headers: readonly string[]): string[] {
  const named = headers.map((header) => [header, toHeading(header)] as const)
  const words = headingsOf.get(field) ?? []
  const fits = (heading: string, word: string) => heading === word || (word.length > 4 && heading.startsWith(`${word} `))
  const found = words.flatMap((word) => named.filter(([, heading]) => fits(heading, word)).map(([header]) => header))
  return [...new Set(found)]
}

/** Headings of figures that are neither an amount nor a balance. */
const otherFigures =
  /\b(rate|kurs|cambio|cotacao|taxa|fee|fees|gebuhr|points|pontos|miles|milhas|vat|iva|tax|id|no|nr|number|numero|code|codigo|mcc|sequence|line|installments?|parcelas?|cuotas?)\b/
/** Whether a heading names another figure. */
export const isOtherFigure = (header: string): boolean => otherFigures.test(toHeading(header))
