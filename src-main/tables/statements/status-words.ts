import type { LeftOutReason } from '#shared/domain/statements/mapping'
import { toHeading } from './headings'

const list = (words: string): readonly string[] => words.split(',').map((word) => toHeading(word))

/** The starts of words for what became of a transaction, in the form of `toHeading`. */
const starts: ReadonlyArray<readonly [LeftOutReason | 'booked', readonly string[]]> = [
  [
    'booked',
    list(`completed, complete, booked, posted, settled, cleared, book, concluid, efetivad, liquidad, aprovad, approved, completad, contabilizad, gebucht, comptabilis, effectue, execute,
      contabilizzat, eseguit, verwerkt, geboekt, zaksiegowan, zaksiegowana, rozliczon, zauctovan, bokfort, bokford, bogfort, kirjattu, gerceklesti, tamamlandi, konyvelt, procesat, проведен, исполнен, 確定, 已入账, 交易成功, 成功, 승인`),
  ],
  [
    'pending',
    list(`pending, pdng, authorised, authorized, authorisation, authorization, processing, in process, uncleared, temporary, expected, futr, info, pendente, em processamento, a processar, pendiente, en proceso, retenid, en attente, a venir, en cours, vorgemerkt, ausstehend, offen,
      in attesa, in sospeso, non contabilizzat, in behandeling, gereserveerd, oczekuj, w trakcie, blokada, cekajici, cekajic, blokace, reserverad, vantar, afventer, reservert, reserveret, odottaa, varaus, bekliyor, beklemede, provizyon, fuggoben, in asteptare, ожид, в обработке, холд, 未確定, 处理中, 待入账, 대기`),
  ],
  [
    'declined',
    list(`declined, failed, rejected, refused, denied, unsuccessful, recusad, negad, rejeitad, falhou, rechazad, denegad, fallid, refus, rejete, echou, abgelehnt, fehlgeschlagen, zuruckgewiesen, rifiutat, negat, fallit,
      geweigerd, afgewezen, mislukt, odrzucon, nieudan, zamitnut, odmitnut, nekad, avvisad, afvist, avslatt, avvist, hylatty, reddedildi, basarisiz, elutasit, respins, отклон, отказ, 失敗, 失败, 交易失败, 거절`),
  ],
  [
    'reverted',
    list(`reverted, reversed, cancelled, canceled, voided, void, estornad, revertid, cancelad, anulad, annul, storniert, storno, annullat, stornat, geannuleerd, teruggedraaid, anulowan, wycofan, zrusen, makulerad, annulleret,
      annullert, peruttu, iptal, visszavon, anulat, отменен, 取消, 已撤销, 已关闭, 交易关闭, 취소`),
  ],
]

/** What a status says of its row; undefined if it is no known status. */
export function statusOf(text: string): LeftOutReason | 'booked' | undefined {
  const plain = text === '' ? '' : toHeading(text)
  if (plain === '' || plain.length > 40) return undefined
  const isNegated = /^(not|non|nicht|nao|no|niet|ej|nie)\s/.test(plain)
  const found = starts.findLast(([, words]) => words.some((word) => plain.startsWith(word)))?.[0]
  return isNegated ? (found === undefined ? undefined : 'pending') : found
}

const outward = new Set(
  list(
    'debit, debito, dbit, dr, d, deb, dbt, soll, s, lastschrift, af, ud, ut, out, uscita, dare, obciazenie, borc, b, expense, gasto, saida, cargo, 支出, 出金, 出金分, 借方, 출금',
  ),
)
const inward = new Set(
  list(
    'credit, credito, crdt, cr, c, cred, haben, h, gutschrift, bij, ind, inn, in, entrata, avere, uznanie, alacak, a, income, ingreso, entrada, abono, 收入, 入金, 入金分, 貸方, 입금',
  ),
)

/** The way of the money that a cell names; undefined if it names none. */
export function directionOf(text: string): 'in' | 'out' | undefined {
  if (text === '') return undefined
  const plain = toHeading(text)
  if (outward.has(plain)) return 'out'
  return inward.has(plain) ? 'in' : undefined
}

const openings =
  /^((starting|opening|previous|initial|brought forward|beginning)( \w+)? balance|balance (brought forward|b f|bf)|saldo (anterior|inicial|previo|iniziale|poczatkowe|inicial do periodo|do dia anterior)|(total|saldo|valor) da fatura anterior|fatura anterior|saldo precedente|anfangs(saldo|bestand)|alter (konto)?saldo|(konto)?stand (am )?anfang|ancien solde|solde (initial|precedent|anterieur|au debut)|beginsaldo|vorig saldo|pocatecni (zustatek|stav)|ingaende saldo|primo saldo|inngaende saldo|alkusaldo|devir( bakiye)?|onceki bakiye|nyito egyenleg|sold (initial|anterior)|начальный остаток|входящий остаток|繰越残高|前月繰越|期初余额|上期余额|전월이월)/
const closings =
  /^((closing|ending|new|final)( \w+)? balance|balance (carried forward|c f)|saldo (final|finale|koncowe|atual|nuevo)|(valor )?total (desta|da|de esta) fatura|nuevo saldo|nuovo saldo|end(saldo|bestand)|neuer (konto)?saldo|nouveau solde|solde final|eindsaldo|nieuw saldo|konecny (zustatek|stav)|utgaende saldo|ultimo saldo|loppusaldo|son bakiye|zaro egyenleg|sold final|конечный остаток|исходящий остаток|期末余额|次月繰越)/
const totals =
  /^(sub ?total|total|totals|grand total|total general|totale|totaal|summe|gesamt|gesamtsumme|suma|somme|yhteensa|toplam|osszesen|celkem|razem|итого|всего|合計|小計|合计|总计|합계)( |$)/

/** Whether a text is that of a balance or total of the file, instead of a booking. */
export function sumNamed(text: string): 'opening' | 'closing' | 'total' | undefined {
  const plain = toHeading(text)
  if (openings.test(plain)) return 'opening'
  if (closings.test(plain)) return 'closing'
  return totals.test(plain) ? 'total' : undefined
}

const balances =
  /^((saldo|balance|solde|kontostand|sald|zustatek|bakiye|stan|sold|остаток)|(account|ledger|daily|end of day|book) balance|saldo (do dia|diario|contabil|contable|contabile|disponivel|credor|devedor|acreedor|deudor|a favor)|solde (crediteur|debiteur|en euros)|tagessaldo|stan (konta|rachunku))( (on|at|as of|as at|em|de|al|del|a|am|per|zum|vom|au|du|le|en|na dzien|r|rs|brl|eur|usd|gbp))*( \d.{0,20})?$/
const carried =
  /^(ubertrag|zwischensumme|(sum )?carried forward|brought forward|a transportar|transporte|saldo transportado|report|riporto|suma y sigue|transport)( (auf|von|to|from|de|a|page|seite|blatt|pagina)\b.{0,20})?$/

/** Whether a text is that of a balance without saying of which: the account's at some day. */
export const isBalance = (text: string): boolean =>
  balances.test(toHeading(text.replace(/^(?:\p{L} )+\p{L}$/u, (letters) => letters.replaceAll(' ', ''))))

/** Whether a text is that of a sum at the end or start of a page. */
export const isCarried = (text: string): boolean => carried.test(toHeading(text))
