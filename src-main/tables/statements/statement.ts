import { type SpentSign, type StatementFormat, type StatementMapping, columnFormats } from '#shared/domain/statements/mapping'
import { isMoneyBack } from '#shared/domain/statements/lines'
import { exponentOf, isCurrency } from '#shared/domain/currencies'
import { type Encoding, decodeText, detectEncoding } from '../encodings'
import { type TableReason, UnreadableTable } from '../table-reason'
import type { TableSource } from '../table-source'
import { readCamt } from './camt'
import { openDelimited, openTable } from './csv'
import { readDelimited } from './csv-rows'
import type { Booking, StatementEntry, StatedSum } from './entry'
import { readMt940 } from './mt940'
import { readOfx } from './ofx'
import { openPages } from './pdf'
import { readQif, sampleQif } from './qif'
import { decideDecimal, decideOrder, memoryNote } from './value-evidence'

/** A booking with Outlay's sign: spent amounts are positive, returned ones negative. Its balance is what the file says, with the same change of sign. */
export type SpentBooking = Omit<Booking, 'direction'>
/** A part of a statement with Outlay's sign. */
export type SpentEntry = SpentBooking | Exclude<StatementEntry, Booking>

/** A readable statement. `mapping` and `headers`: of delimited files; `undecided`: what a person must state first; `notes`: what differs from before. */
export interface Statement {
  readonly format: StatementFormat
  readonly encoding: Encoding
  readonly headers: readonly string[]
  readonly mapping: StatementMapping
  readonly undecided: ReadonlyArray<{ readonly code: string; readonly column: string }>
  readonly notes: readonly TableReason[]
  /** Its entries in file order; each call reads the file again. */
  readonly entries: () => Iterable<SpentEntry>
}

/** What is known of a card's statements. `kept`: how earlier files of each format are read. */
export interface KnownOfCard {
  readonly kept?: Partial<Record<StatementFormat, StatementMapping>>
  /** The currency of lines that state none. */
  readonly currency?: string
  /** The format that bytes were made from, if they were not the file's. */
  readonly format?: StatementFormat | undefined
}

/** How much of a file identifies its format, and how many entries its sign of charges. */
const headLength = 4_096
const sampled = 2_000

/** Decides how to read a statement; `chosen` takes precedence. Throws {@link UnreadableTable} if it is not a statement. */
export function openStatement(
  source: TableSource,
  chosen: StatementMapping = {},
  { kept: all = {}, currency = '', format: from }: KnownOfCard = {},
): Statement {
  const encoding = encodingOf(source)
  const text = () => decodeText(source, encoding)
  const format = from ?? formatOf(headOf(text()))
  const kept = all[format] ?? {}
  const opened = { format, encoding, headers: [], undecided: [], notes: [], kept }
  switch (format) {
    case 'ofx':
      return withSign(opened, () => readOfx(text()), chosen)
    case 'camt':
      return withSign(opened, () => readCamt(text()), chosen)
    case 'mt940':
      return withSign(opened, () => readMt940(text()), chosen)
    case 'qif': {
      const { days, amounts, order: stated } = sampleQif(text())
      const known = { delimiter: ',' } as const
      const order = decideOrder(days, { ...known, chosen: chosen.date_order ?? stated, kept: kept.date_order })
      const exponent = isCurrency(currency) ? exponentOf(currency) : 2
      const decimal = decideDecimal(amounts, exponent, { ...known, chosen: chosen.decimal, kept: kept.decimal })
      const style = { date_order: order.value ?? ('mdy' as const), decimal: decimal.value ?? ('.' as const) }
      const undecided = [
        ...(order.value === undefined ? [{ code: 'statement_days', column: 'D' }] : []),
        ...(decimal.value === undefined ? [{ code: 'statement_decimals', column: 'T' }] : []),
      ]
      const isOther = stated !== undefined && kept.date_order !== undefined && stated !== kept.date_order
      const notes = [
        ...(order.disagrees || isOther ? [memoryNote('date_order', style)] : []),
        ...(decimal.disagrees ? [memoryNote('decimal', style)] : []),
      ]
      return withSign({ ...opened, undecided, notes }, () => (undecided.length > 0 ? [] : readQif(text(), style)), { ...chosen, ...style })
    }
    case 'pdf':
    case 'xlsx':
    case 'csv': {
      const known = { chosen, kept, currency }
      const opening = format === 'pdf' ? openPages(text(), known) : openTable(source)
      const { table, head, later, mapping, whole, undecided, notes, encoding: found } = openDelimited(opening, known)
      const entries = () => (whole ? readDelimited({ table, head, later }, whole) : [])
      return withSign({ ...opened, encoding: found, headers: table.headers, undecided, notes }, entries, {
        ...mapping,
        ...(chosen.spent && { spent: chosen.spent }),
      })
    }
  }
}

/** OFX 1 states its encoding in its head; without a mark, the text says which encoding it has. */
function encodingOf(source: TableSource): Encoding {
  const [start] = source()
  if (start === undefined || start.length === 0) throw new UnreadableTable([{ code: 'no_rows' }])
  return detectEncoding(source)
}

function headOf(text: Iterable<string>): string {
  let head = ''
  for (const part of text) if ((head += part).length >= headLength) break
  return head.slice(0, headLength)
}

function formatOf(head: string): StatementFormat {
  if (/OFXHEADER|<OFX>/i.test(head)) return 'ofx'
  if (/camt\.05[234]|<(\w+:)?BkToCstmr/.test(head)) return 'camt'
  if (/(^|[\r\n}])\s*:20:/.test(head) && /[\r\n]:60[FM]:/.test(head)) return 'mt940'
  return /^\uFEFF?\s*!(Type|Account|Option|Clear)/i.test(head) ? 'qif' : 'csv'
}

type Opened = Omit<Statement, 'entries' | 'mapping'> & { readonly kept: StatementMapping }

function withSign({ kept, ...opened }: Opened, entries: () => Iterable<StatementEntry>, mapping: StatementMapping): Statement {
  const shown = weighSpentSign(entries())
  const custom = columnFormats.has(opened.format) ? 'positive' : 'negative'
  const spent = mapping.spent ?? (shown.isClear ? shown.sign : undefined) ?? kept.spent ?? shown.sign ?? custom
  const whole = { ...mapping, spent }
  const isOther = mapping.spent === undefined && kept.spent !== undefined && spent !== kept.spent
  const isOpen = mapping.spent === undefined && kept.spent === undefined && shown.sign === undefined && shown.read > 0
  return {
    ...opened,
    ...{
      mapping: whole,
      notes: [...opened.notes, ...(isOther ? [memoryNote('spent', whole)] : []), ...(isOpen ? [{ code: `open_spent_${spent}` }] : [])],
    },
    entries: function* () {
      for (const entry of entries()) yield toSpent(entry, spent)
    },
  }
}

/**
 * The sign of charges: by the file's stated directions and by texts of payments and refunds, otherwise by the majority of entries. `isClear`: more
 * than a slight majority says it.
 */
function weighSpentSign(entries: Iterable<StatementEntry>): { sign: SpentSign | undefined; isClear: boolean; read: number } {
  const said = { positive: 0, negative: 0 }
  const had = { positive: 0, negative: 0 }
  let read = 0
  for (const entry of entries) {
    if (entry.kind !== 'booking' || isZero(entry.amount)) continue
    const sign = entry.amount.startsWith('-') ? 'negative' : 'positive'
    const way = entry.direction ?? (isMoneyBack(entry.text) ? 'in' : undefined)
    had[sign] += 1
    if (way === 'out') said[sign] += 1
    else if (way === 'in') said[sign === 'negative' ? 'positive' : 'negative'] += 1
    if ((read += 1) === sampled) break
  }
  if (said.positive !== said.negative) return { sign: said.positive > said.negative ? 'positive' : 'negative', isClear: true, read }
  const sign = had.positive === had.negative ? undefined : had.positive > had.negative ? 'positive' : 'negative'
  return { sign, read, isClear: read >= 5 && Math.max(had.positive, had.negative) * 5 >= read * 4 }
}

const isZero = (amount: string) => /^-?0(\.0*)?$/.test(amount)

function turned(amount: string): string {
  return isZero(amount) ? amount : amount.startsWith('-') ? amount.slice(1) : `-${amount}`
}

function toSpent(entry: StatementEntry, spent: SpentSign): SpentEntry {
  if (entry.kind === 'balance') return spent === 'positive' ? entry : turnedBalance(entry)
  if (entry.kind !== 'booking') return entry
  const { direction: _direction, amount, balance, ...rest } = entry
  if (spent === 'positive') return { ...rest, amount, balance }
  return { ...rest, amount: turned(amount), balance: balance === null ? null : turned(balance) }
}

function turnedBalance(entry: Extract<StatedSum, { kind: 'balance' }>): StatedSum {
  return { ...entry, amount: turned(entry.amount) }
}
