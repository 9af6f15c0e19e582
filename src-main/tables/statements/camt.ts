import { type Booking, type StatementEntry, joinTexts, plainDay, plainDecimal, problemAt } from './entry'
import { readMarkup } from './markup'

/** A value with its element's currency. */
interface Found {
  readonly text: string
  readonly currency: string | undefined
}

/** The values of an entry, or one of its transactions, by path; of repeated ones the first. */
type Values = Map<string, Found>

interface Opened {
  readonly line: number
  readonly values: Values
  readonly parts: Values[]
}

/** Deeper elements are not part of a statement. */
const deepest = 100
/** The parts of a document that are one statement of one account. */
const statements = new Set(['Stmt', 'Rpt', 'Ntfctn'])
/** What is not booked by its status. */
const unbooked = new Set(['PDNG', 'INFO', 'FUTR'])

/** What a statement says of itself: its account, its balances and the sums of its entries. */
interface Summary {
  readonly line: number
  readonly values: Values
  entries: number
  /** The sums of its entries in hundred-thousandths, by direction. */
  readonly sums: { CRDT: bigint; DBIT: bigint }
}

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
      this.#statement = { line, values: new Map(), entries: 0, sums: { CRDT: 0n, DBIT: 0n } }
      this.#isNamed = false
    }
    if (name === 'Ntry') this.entry = { line, values: new Map(), parts: [] }
    if (name === 'Bal' && !this.entry) this.#balance = { line, values: new Map(), parts: [] }
    if (name === 'TxDtls') this.entry?.parts.push(new Map())
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
      if (this.#statement) addUp(this.#statement, this.entry.values)
      yield* toBookings(this.entry)
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
    const number = (values.get('Acct/Id/IBAN') ?? values.get('Acct/Id/Othr/Id') ?? values.get('Acct/Id/PrtryAcct/Id'))?.text ?? null
    this.#isNamed = true
    yield { kind: 'section', line, number, isCard: /CARD/i.test(values.get('Acct/Tp/Cd')?.text ?? ''), continues: false }
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
  if (what === undefined || amount === undefined) return
  yield { kind: 'balance', line, what, amount: values.get('CdtDbtInd')?.text === 'DBIT' ? `-${amount}` : amount }
}

function addUp(statement: Summary, values: Values): void {
  statement.entries += 1
  const amount = scaled(plainDecimal(values.get('Amt')?.text ?? ''))
  statement.sums[values.get('CdtDbtInd')?.text === 'CRDT' ? 'CRDT' : 'DBIT'] += amount
}

/** A decimal in hundred-thousandths, for exact sums. */
function scaled(decimal: string | undefined): bigint {
  const [whole = '', fraction = ''] = (decimal ?? '0').split('.')
  const digits = BigInt(`${whole.replace('-', '') || '0'}${fraction.slice(0, scale).padEnd(scale, '0')}`)
  return whole.startsWith('-') ? -digits : digits
}
const scale = 5
const unscaled = (sum: bigint) => {
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0')
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '')
}

/** What a statement says its entries come to, against what they do. */
function* checksOf({ line, values, entries, sums }: Summary): Generator<StatementEntry> {
  const stated = (name: string) => values.get(`TxsSummry/${name}`)?.text
  const count = stated('TtlNtries/NbOfNtries')
  if (count !== undefined) yield { kind: 'check', line, what: 'count', stated: count, found: String(entries) }
  for (const [name, sum] of [
    ['TtlDbtNtries/Sum', sums.DBIT],
    ['TtlCdtNtries/Sum', sums.CRDT],
  ] as const) {
    const amount = plainDecimal(stated(name) ?? '')
    if (amount !== undefined) yield { kind: 'check', line, what: 'sum', stated: amount, found: unscaled(sum) }
  }
}

/** The currency attribute of an element. */
function ccy(attributes: string): string | undefined {
  return /Ccy\s*=\s*["']([A-Za-z]{3})/.exec(attributes)?.at(1)
}

function note({ values, parts }: Opened, path: readonly string[], found: Found): void {
  const inPart = path.lastIndexOf('TxDtls')
  const target = inPart === -1 ? values : parts.at(-1)
  const name = path.slice((inPart === -1 ? path.lastIndexOf('Ntry') : inPart) + 1).join('/')
  if (target && !target.has(name)) target.set(name, found)
}

function* toBookings({ line, values, parts }: Opened): Generator<StatementEntry> {
  const status = (values.get('Sts/Cd') ?? values.get('Sts/Prtry') ?? values.get('Sts'))?.text.toUpperCase() ?? ''
  if (unbooked.has(status)) {
    yield { kind: 'left_out', line, reason: 'pending', text: values.get('AddtlNtryInf')?.text ?? parts[0]?.get('RmtInf/Ustrd')?.text ?? '' }
    return
  }
  const whole = () =>
    toBooking(line, values, { part: parts.length === 1 ? (parts[0] ?? new Map<string, Found>()) : new Map<string, Found>() })
  const amounts = parts.map((part) => part.get('Amt') ?? part.get('AmtDtls/TxAmt/Amt'))
  if (parts.length < 2 || amounts.some((amount) => plainDecimal(amount?.text ?? '') === undefined)) {
    yield whole()
    return
  }
  const side = sideOf(values)
  const total = parts.reduce((sum, part, at) => {
    const amount = scaled(plainDecimal(amounts[at]?.text ?? ''))
    return sum + (sideOf(part, side) === side ? amount : -amount)
  }, 0n)
  const rest = scaled(plainDecimal(values.get('Amt')?.text ?? '')) - total
  const charges = chargesOf(values)
  // The entry is what was booked. Parts that do not come to it, nor with its charges, are not what the account was charged.
  if (rest !== 0n && rest !== charges) {
    yield whole()
    return
  }
  for (const [at, part] of parts.entries()) yield toBooking(line, values, { part, amount: amounts[at] })
  if (rest === 0n) return
  const text =
    values.get('Chrgs/Rcrd/Tp/Prtry/Id')?.text ?? values.get('Chrgs/Tp/Prtry/Id')?.text ?? values.get('AddtlNtryInf')?.text ?? 'Charges'
  const fee = toBooking(line, new Map([...values, ['AddtlNtryInf', { text, currency: undefined }]]), {
    part: new Map(),
    amount: { text: unscaled(rest), currency: values.get('Amt')?.currency },
  })
  yield fee.kind === 'booking' ? { ...fee, text, type: 'fee' } : fee
}

/** The charges within an entry's amount: as a total, or as one record. */
function chargesOf(values: Values): bigint {
  const amount = values.get('Chrgs/TtlChrgsAndTaxAmt') ?? values.get('Chrgs/Rcrd/Amt') ?? values.get('Chrgs/Amt')
  return scaled(plainDecimal(amount?.text ?? ''))
}

const sideOf = (values: Values, usual = 'DBIT') => values.get('CdtDbtInd')?.text ?? usual

interface PartOfEntry {
  readonly part: Values
  /** Its own amount, where it is not the entry's. */
  readonly amount?: Found | undefined
}

function toBooking(line: number, values: Values, { part, amount: own = values.get('Amt') }: PartOfEntry): StatementEntry {
  const read = (from: Values, ...names: readonly string[]) => names.map((name) => from.get(name)?.text).find((text) => text !== undefined)
  const written = read(values, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? ''
  const day = plainDay(written)
  if (day === undefined) return problemAt(line, 'no_day', { text: written })
  const amount = plainDecimal(own?.text ?? '')
  if (amount === undefined) return problemAt(line, 'no_amount', { text: own?.text ?? '' })
  const direction = (read(part, 'CdtDbtInd') ?? read(values, 'CdtDbtInd')) === 'CRDT' ? 'in' : 'out'
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
