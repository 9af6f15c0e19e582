import type { AccountKind } from '#shared/domain/statements/accounts'
import { type Booking, type StatementEntry, joinTexts, plainDay, plainDecimal, problemAt } from './entry'
import { readMarkup } from './markup'

const outward = new Set(['DEBIT', 'POS', 'FEE', 'SRVCHG', 'ATM', 'CHECK', 'CASH', 'DIRECTDEBIT', 'REPEATPMT'])
const inward = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'PAYMENT'])
const fees = new Set(['FEE', 'SRVCHG', 'INT'])

/** A transaction that is being read: its values by tag, and those of its currency. */
interface Opened {
  readonly line: number
  readonly isPending: boolean
  readonly values: Map<string, string>
  abroad: 'CURRENCY' | 'ORIGCURRENCY' | undefined
}

/** Parts of a file whose transactions are not booked. */
const pendingLists = new Set(['BANKTRANLISTP', 'STMTTRNP'])

/** Where a reader is in the file: the open transaction, the tag whose text follows, and the part. */
class OfxReader {
  opened: Opened | undefined
  isWhole = false
  #tag = ''
  #currency: string | null = null
  #kind: AccountKind = null
  #account: { line: number; number: string } | undefined
  #part = '';

  *text(text: string, line: number): Generator<StatementEntry> {
    const tag = this.#tag
    this.#tag = ''
    if (this.opened && tag !== '') this.opened.values.set(tag, text)
    else if (tag === 'CURDEF') this.#currency = text.toUpperCase()
    // Accounts of transfers are within transactions, and not read.
    else if (tag === 'ACCTID') this.#account ??= { line, number: text }
    // A line of credit may be a card's.
    else if (tag === 'ACCTTYPE' && text.toUpperCase() === 'CREDITLINE') this.#kind = null
    else if (tag === 'BALAMT' && this.#part === 'LEDGERBAL') {
      const amount = plainDecimal(text)
      if (amount !== undefined) yield { kind: 'balance', line, what: 'closing', amount }
    } else {
      const what =
        tag === 'DTSTART' ? 'from' : tag === 'DTEND' ? 'to' : tag === 'DTASOF' && this.#part === 'LEDGERBAL' ? 'closing' : undefined
      const day = what && plainDay(text)
      if (what && day !== undefined) yield { kind: 'day', line, what, day }
    }
  }

  *close(name: string, line: number): Generator<StatementEntry> {
    if (name === 'OFX') this.isWhole = true
    if (name === 'CCACCTFROM' || name === 'BANKACCTFROM') yield* this.#begin(line)
    if (name === 'STMTTRN' || name === 'STMTTRNP') yield* this.#end()
  }

  *open(name: string, line: number): Generator<StatementEntry> {
    this.#tag = name
    if (name === 'STMTRS' || name === 'CCSTMTRS') {
      yield* this.#end()
      this.#kind = name === 'CCSTMTRS' ? 'card' : 'bank'
      this.#account = undefined
      this.#part = name
    }
    if (name === 'BANKTRANLIST') yield* this.#begin(line)
    if (name.endsWith('BAL') || name.endsWith('BALLIST')) {
      yield* this.#end()
      this.#part = name
    }
    if (this.opened && (name === 'CURRENCY' || name === 'ORIGCURRENCY')) this.opened.abroad = name
    if (name !== 'STMTTRN' && !pendingLists.has(name)) return
    yield* this.#end()
    if (name !== 'BANKTRANLISTP') this.opened = { line, isPending: name === 'STMTTRNP', values: new Map(), abroad: undefined }
  }

  /** Its account is named once, before its transactions; SGML leaves closing tags out. */
  *#begin(line: number): Generator<StatementEntry> {
    if (this.#part === 'begun' || (!this.#account && this.#kind !== 'bank')) return
    yield { kind: 'section', ...(this.#account ?? { line, number: null }), account: this.#kind, continues: false }
    this.#part = 'begun'
  }

  *#end(): Generator<StatementEntry> {
    if (this.opened) yield toBooking(this.opened, this.#currency)
    this.opened = undefined
  }
}

/** The transactions and balances of an OFX file, version 1 (SGML, without closing tags) or 2 (XML), account after account. */
export function* readOfx(text: Iterable<string>): Generator<StatementEntry> {
  const reader = new OfxReader()
  let last = 1
  for (const token of readMarkup(text)) {
    last = token.line
    if (token.kind === 'cut') break
    if (token.kind === 'text') yield* reader.text(token.text, token.line)
    else if (token.kind === 'close') yield* reader.close(token.name.toUpperCase(), token.line)
    else yield* reader.open(token.name.toUpperCase(), token.line)
  }
  if (reader.opened) yield problemAt(reader.opened.line, 'truncated')
  else if (!reader.isWhole) yield problemAt(last, 'truncated_end')
}

function toBooking({ line, isPending, values, abroad }: Opened, currency: string | null): StatementEntry {
  if (isPending) return { kind: 'left_out', line, reason: 'pending', text: joinTexts(values.get('NAME'), values.get('MEMO')) }
  const day = plainDay(values.get('DTPOSTED') ?? values.get('DTUSER') ?? '')
  if (day === undefined) return problemAt(line, 'no_day', { text: values.get('DTPOSTED') ?? '' })
  const amount = plainDecimal(values.get('TRNAMT') ?? '')
  if (amount === undefined) return problemAt(line, 'no_amount', { text: values.get('TRNAMT') ?? '' })
  const type = (values.get('TRNTYPE') ?? '').toUpperCase()
  const foreign = abroad === undefined ? undefined : values.get('CURSYM')?.toUpperCase()
  return {
    ...{ kind: 'booking', line, day, amount, balance: null },
    // `CURRENCY`: the amount is in this currency; `ORIGCURRENCY`: it was converted from this currency.
    currency: abroad === 'CURRENCY' && foreign !== undefined ? foreign : currency,
    text: joinTexts(values.get('NAME'), values.get('MEMO')),
    reference: values.get('FITID')?.trim() || null,
    direction: outward.has(type) ? 'out' : inward.has(type) ? 'in' : null,
    type: fees.has(type) ? 'fee' : type === 'PAYMENT' ? 'payment' : null,
    original: originalOf(abroad, foreign, values.get('CURRATE')),
  }
}

function originalOf(abroad: Opened['abroad'], currency: string | undefined, rate: string | undefined): Booking['original'] {
  if (abroad !== 'ORIGCURRENCY' || currency === undefined) return null
  return { amount: null, currency, rate: plainDecimal(rate ?? '') ?? null }
}
