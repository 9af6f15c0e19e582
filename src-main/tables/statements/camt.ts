import {
  type Detail,
  type Found,
  type Opened,
  type PartOfEntry,
  type Summary,
  type Values,
  addUp,
  amountOf,
  batchOf,
  checksOf,
  sideOf,
  summaryAt,
  unscaled,
} from './camt-sums'
import { type Booking, type StatementEntry, joinTexts, plainDay, plainDecimal, problemAt } from './entry'
import { readMarkup } from './markup'

/** Deeper elements are not part of a statement. */
const deepest = 100
/** The parts of a document that are one statement of one account. */
const statements = new Set(['Stmt', 'Rpt', 'Ntfctn'])
/** What is not booked by its status. */
const unbooked = new Set(['PDNG', 'INFO', 'FUTR'])
const currentAccounts = /^(CACC|CASH|SACC|SVGS|SLRY|TRAN|TRAS)$/i
/** Records of charges, which add up. */
const charged = /(^|\/)Chrgs\/(Rcrd\/)?Amt$/

/** Where a reader is in the document: the open elements, the statement and the entry. */
class CamtReader {
  readonly path: string[] = []
  entry: Opened | undefined
  #attributes = ''
  #statement: Summary | undefined
  #balance: Opened | undefined
  #isNamed = false
  /** How many elements are open below the deepest kept one. */
  #below = 0

  open(name: string, attributes: string, line: number): void {
    if (this.path.length === deepest) {
      this.#below += 1
      return
    }
    this.path.push(name)
    this.#attributes = attributes
    if (statements.has(name)) {
      this.#statement = summaryAt(line)
      this.#isNamed = false
    }
    if (name === 'Ntry') this.entry = { line, values: new Map(), details: [] }
    if (name === 'Bal' && !this.entry) this.#balance = { line, values: new Map(), details: [] }
    if (name === 'NtryDtls') this.entry?.details.push({ values: new Map(), parts: [] })
    if (name === 'TxDtls' && this.entry) detailOf(this.entry).parts.push(new Map())
  }

  text(text: string): void {
    if (this.#below > 0) return
    const found = { text, currency: ccy(this.#attributes) }
    if (this.entry) note(this.entry, this.path, found)
    else if (this.#balance) note(this.#balance, ['Ntry', ...this.path.slice(this.path.lastIndexOf('Bal') + 1)], found)
    else if (this.#statement) {
      const at = this.path.findLastIndex((name) => statements.has(name))
      const name = this.path.slice(at + 1).join('/')
      if (at !== -1 && !this.#statement.values.has(name)) this.#statement.values.set(name, found)
    }
  }

  *close(name: string): Generator<StatementEntry> {
    if (this.#below > 0) {
      this.#below -= 1
      return
    }
    // Elements still open inside it end with it.
    const at = this.path.lastIndexOf(name)
    if (at !== -1) this.path.length = at
    if (name === 'Acct') yield* this.#name()
    if (name === 'Bal' && this.#balance) {
      yield* balanceOf(this.#balance)
      this.#balance = undefined
    }
    if (name === 'Ntry' && this.entry) {
      const entries = [...toBookings(this.entry)]
      if (this.#statement) addUp(this.#statement, this.entry, entries)
      yield* entries
      this.entry = undefined
    }
    if (statements.has(name) && this.#statement) {
      yield* checksOf(this.#statement)
      this.#statement = undefined
    }
  }

  *#name(): Generator<StatementEntry> {
    if (!this.#statement || this.#isNamed || this.entry) return
    const { line, values } = this.#statement
    const type = values.get('Acct/Tp/Cd')?.text ?? ''
    const number = (values.get('Acct/Id/IBAN') ?? values.get('Acct/Id/Othr/Id') ?? values.get('Acct/Id/PrtryAcct/Id'))?.text ?? null
    this.#isNamed = true
    yield {
      kind: 'section',
      line,
      number,
      account: /CARD/i.test(type) ? 'card' : currentAccounts.test(type) ? 'bank' : null,
      continues: false,
    }
  }
}

/** The entries of a CAMT.052, .053 or .054 document: one booking each, or one per transaction of a batch; its accounts, balances and sums. */
export function* readCamt(text: Iterable<string>): Generator<StatementEntry> {
  const reader = new CamtReader()
  let last = 1
  for (const token of readMarkup(text)) {
    last = token.line
    if (token.kind === 'cut') break
    if (token.kind === 'open') reader.open(token.name, token.attributes, token.line)
    else if (token.kind === 'text') reader.text(token.text)
    else yield* reader.close(token.name)
  }
  if (reader.entry) yield problemAt(reader.entry.line, 'truncated')
  else if (reader.path.length > 0) yield problemAt(last, 'truncated_end')
}

/** An opening or closing balance, as the account's: credit is positive. Interim and available ones are left out. */
function* balanceOf({ line, values }: Opened): Generator<StatementEntry> {
  const type = (values.get('Tp/CdOrPrtry/Cd') ?? values.get('Tp/CdOrPrtry/Prtry'))?.text.toUpperCase()
  const what = type === 'OPBD' || type === 'PRCD' ? 'opening' : type === 'CLBD' ? 'closing' : undefined
  const amount = plainDecimal(values.get('Amt')?.text ?? '')
  const side = sideOf(values)
  if (what === undefined || amount === undefined || side === undefined) return
  yield { kind: 'balance', line, what, amount: side === 'DBIT' ? `-${amount}` : amount }
  const day = plainDay((values.get('Dt/Dt') ?? values.get('Dt/DtTm'))?.text ?? '')
  if (what === 'closing' && day !== undefined) yield { kind: 'day', line, what, day }
}

/** The currency attribute of an element. */
function ccy(attributes: string): string | undefined {
  return /Ccy\s*=\s*["']([A-Za-z]{3})/.exec(attributes)?.at(1)
}

/** The details that are open; files leave their element out. */
function detailOf({ details }: Opened): Detail {
  if (details.length === 0) details.push({ values: new Map(), parts: [] })
  return details.at(-1) ?? { values: new Map(), parts: [] }
}

function note(opened: Opened, path: readonly string[], found: Found): void {
  const at = Math.max(...['Ntry', 'NtryDtls', 'TxDtls'].map((name) => path.lastIndexOf(name)))
  const target = path[at] === 'TxDtls' ? detailOf(opened).parts.at(-1) : path[at] === 'NtryDtls' ? detailOf(opened).values : opened.values
  const name = path.slice(at + 1).join('/')
  const before = target?.get(name)
  if (before === undefined) target?.set(name, found)
  else if (charged.test(name)) target?.set(name, { ...before, text: unscaled(amountOf(before) + amountOf(found)) })
}

function* toBookings(entry: Opened): Generator<StatementEntry> {
  const { line, values, details } = entry
  const status = (values.get('Sts/Cd') ?? values.get('Sts/Prtry') ?? values.get('Sts'))?.text.toUpperCase() ?? ''
  const [first = new Map<string, Found>(), ...others] = details.flatMap(({ parts }) => parts)
  if (unbooked.has(status)) {
    yield { kind: 'left_out', line, reason: 'pending', text: values.get('AddtlNtryInf')?.text ?? first.get('RmtInf/Ustrd')?.text ?? '' }
    return
  }
  const { parts, rest, checks } = batchOf(entry)
  yield* checks
  if (parts.length === 0) yield toBooking(line, values, { part: others.length === 0 ? first : new Map<string, Found>() })
  for (const one of parts) yield toBooking(line, values, one)
  if (!rest) return
  const text =
    values.get('Chrgs/Rcrd/Tp/Prtry/Id')?.text ?? values.get('Chrgs/Tp/Prtry/Id')?.text ?? values.get('AddtlNtryInf')?.text ?? 'Charges'
  const fee = toBooking(line, values, rest)
  yield fee.kind === 'booking' ? { ...fee, text, type: 'fee' } : fee
}

function toBooking(line: number, values: Values, { part, amount: own = values.get('Amt') }: PartOfEntry): StatementEntry {
  const read = (from: Values, ...names: readonly string[]) => names.map((name) => from.get(name)?.text).find((text) => text !== undefined)
  const written = read(values, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? ''
  const day = plainDay(written)
  if (day === undefined) return problemAt(line, 'no_day', { text: written })
  const amount = plainDecimal(own?.text ?? '')
  if (amount === undefined) return problemAt(line, 'no_amount', { text: own?.text ?? '' })
  const side = sideOf(values)
  if (side === undefined) return problemAt(line, 'no_direction', { text: values.get('CdtDbtInd')?.text ?? '' })
  const direction = sideOf(part, side) === 'CRDT' ? 'in' : 'out'
  const isReversal = /^(true|1)$/.test(read(values, 'RvslInd') ?? '') && direction === 'out'
  return {
    ...{ kind: 'booking', line, day, direction, balance: null, ...(isReversal && { isReversal }) },
    amount: direction === 'out' ? `-${amount.replace('-', '')}` : amount.replace('-', ''),
    currency: own?.currency ?? values.get('Amt')?.currency ?? null,
    text: joinTexts(
      read(part, 'RltdPties/Cdtr/Nm', 'RltdPties/Cdtr/Pty/Nm', 'RltdPties/Dbtr/Nm'),
      read(part, 'RmtInf/Ustrd', 'AddtlTxInf'),
      read(values, 'AddtlNtryInf'),
    ),
    reference: read(part, 'Refs/TxId', 'Refs/AcctSvcrRef') ?? read(values, 'AcctSvcrRef', 'NtryRef') ?? null,
    type: null,
    original: originalOf(values, part),
  }
}

function originalOf(values: Values, part: Values): Booking['original'] {
  const instructed = part.get('AmtDtls/InstdAmt/Amt') ?? values.get('AmtDtls/InstdAmt/Amt')
  if (!instructed?.currency || instructed.currency === values.get('Amt')?.currency) return null
  const rate = (
    part.get('AmtDtls/TxAmt/CcyXchg/XchgRate') ??
    part.get('AmtDtls/InstdAmt/CcyXchg/XchgRate') ??
    values.get('AmtDtls/InstdAmt/CcyXchg/XchgRate')
  )?.text
  return {
    amount: plainDecimal(instructed.text) ?? null,
    currency: instructed.currency.toUpperCase(),
    rate: plainDecimal(rate ?? '') ?? null,
  }
}
