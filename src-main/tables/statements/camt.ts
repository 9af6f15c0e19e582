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

/** The entries of a CAMT.052, .053 or .054 document: one booking each, or one per transaction of a batch. */
export function* readCamt(text: Iterable<string>): Generator<StatementEntry> {
  const path: string[] = []
  let entry: Opened | undefined
  let attributes = ''
  let last = 1
  // How many elements are open below the deepest kept one.
  let below = 0
  for (const token of readMarkup(text)) {
    last = token.line
    if (token.kind === 'cut') break
    if (token.kind === 'open') {
      if (path.length === deepest) {
        below += 1
        continue
      }
      path.push(token.name)
      attributes = token.attributes
      if (token.name === 'Ntry') entry = { line: token.line, values: new Map(), parts: [] }
      if (token.name === 'TxDtls') entry?.parts.push(new Map())
      continue
    }
    if (token.kind === 'text') {
      if (entry && below === 0) note(entry, path, { text: token.text, currency: ccy(attributes) })
      continue
    }
    if (below > 0) {
      below -= 1
      continue
    }
    // Elements still open inside it end with it.
    const at = path.lastIndexOf(token.name)
    if (at !== -1) path.length = at
    if (token.name !== 'Ntry' || !entry) continue
    yield* toBookings(entry)
    entry = undefined
  }
  if (entry) yield problemAt(entry.line, 'truncated')
  else if (path.length > 0) yield problemAt(last, 'truncated_end')
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
  if ((values.get('Sts/Cd') ?? values.get('Sts'))?.text === 'PDNG') {
    yield problemAt(line, 'pending')
    return
  }
  const amounts = parts.map((part) => (part.get('Amt') ?? part.get('AmtDtls/TxAmt/Amt'))?.text)
  if (parts.length < 2 || amounts.some((amount) => amount === undefined)) {
    yield toBooking(line, values, parts.length === 1 ? parts[0] : undefined)
    return
  }
  for (const part of parts) {
    values.set('Amt', part.get('Amt') ?? part.get('AmtDtls/TxAmt/Amt') ?? noAmount)
    yield toBooking(line, values, part)
  }
}

const noAmount: Found = { text: '', currency: undefined }

function toBooking(line: number, values: Values, part: Values = new Map()): StatementEntry {
  const read = (from: Values, ...names: readonly string[]) => names.map((name) => from.get(name)?.text).find((text) => text !== undefined)
  const written = read(values, 'BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm') ?? ''
  const day = plainDay(written)
  if (day === undefined) return problemAt(line, 'no_day', { text: written })
  const amount = plainDecimal(values.get('Amt')?.text ?? '')
  if (amount === undefined) return problemAt(line, 'no_amount', { text: values.get('Amt')?.text ?? '' })
  const direction = (read(part, 'CdtDbtInd') ?? read(values, 'CdtDbtInd')) === 'CRDT' ? 'in' : 'out'
  return {
    ...{ kind: 'booking', line, day, direction },
    amount: direction === 'out' ? `-${amount.replace('-', '')}` : amount.replace('-', ''),
    currency: values.get('Amt')?.currency ?? null,
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
