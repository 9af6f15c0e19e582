import type { SpentSign, StatementFormat, StatementMapping } from '#shared/domain/statements/mapping'
import { type Encoding, decodeText, detectEncoding } from '../encodings'
import { UnreadableTable } from '../table-reason'
import type { TableSource } from '../table-source'
import { readCamt } from './camt'
import { openDelimited, readDelimited } from './csv'
import type { Booking, StatementEntry, StatementProblem } from './entry'
import { readOfx } from './ofx'
import { detectQif, readQif } from './qif'

/** A booking with Outlay's sign: spent amounts are positive, returned ones negative. */
export type SpentBooking = Omit<Booking, 'direction'>

/** A readable statement. `mapping` and `headers`: of delimited files; `undecided`: what a person must state first. */
export interface Statement {
  readonly format: StatementFormat
  readonly encoding: Encoding
  readonly headers: readonly string[]
  readonly mapping: StatementMapping
  readonly undecided: ReadonlyArray<{ readonly code: string; readonly column: string }>
  /** Its entries in file order; each call reads the file again. */
  readonly entries: () => Iterable<SpentBooking | StatementProblem>
}

/** How much of a file identifies its format, and how many entries its sign of charges. */
const headLength = 4_096
const sampled = 2_000

/**
 * Decides how to read a statement; the mapping takes precedence. `kept`: the mapping of this card's earlier delimited ones. Throws {@link
 * UnreadableTable} if it is not a statement.
 */
export function openStatement(source: TableSource, chosen: StatementMapping = {}, kept: StatementMapping = {}): Statement {
  const encoding = encodingOf(source)
  const text = () => decodeText(source, encoding)
  const format = formatOf(headOf(text()))
  const opened = { format, encoding, headers: [], undecided: [] }
  const stated = format === 'csv' || format === 'qif' ? { ...kept, ...chosen } : chosen
  switch (format) {
    case 'ofx':
      return withSign(opened, () => readOfx(text()), stated)
    case 'camt':
      return withSign(opened, () => readCamt(text()), stated)
    case 'qif': {
      const { date_order = stated.date_order, decimal = '.' } = { ...detectQif(text), ...stated }
      const undecided = date_order === undefined ? [{ code: 'statement_days', column: 'D' }] : []
      const style = { date_order: date_order ?? 'mdy', decimal }
      return withSign({ ...opened, undecided }, () => (undecided.length > 0 ? [] : readQif(text(), style)), { ...stated, ...style })
    }
    case 'csv': {
      const { table, mapping, whole, undecided } = openDelimited(source, stated)
      const entries = () => (whole ? readDelimited(table, whole) : [])
      return withSign({ ...opened, headers: table.headers, undecided }, entries, mapping)
    }
  }
}

/** OFX 1 states its encoding in its head; without a mark, text that is not UTF-8 is windows-1252 anyway. */
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
  return /^\uFEFF?\s*!(Type|Account|Option|Clear)/i.test(head) ? 'qif' : 'csv'
}

type Opened = Omit<Statement, 'entries' | 'mapping'>

function withSign(opened: Opened, entries: () => Iterable<StatementEntry>, mapping: StatementMapping): Statement {
  const spent = mapping.spent ?? detectSpentSign(entries(), opened.format)
  return {
    ...opened,
    mapping: { ...mapping, spent },
    entries: function* () {
      for (const entry of entries()) yield entry.kind === 'problem' ? entry : toSpent(entry, spent)
    },
  }
}

/** The sign of charges: by the file's stated directions, otherwise by the majority of entries, otherwise by the format's custom. */
function detectSpentSign(entries: Iterable<StatementEntry>, format: StatementFormat): SpentSign {
  const said = { positive: 0, negative: 0 }
  const had = { positive: 0, negative: 0 }
  let read = 0
  for (const entry of entries) {
    if (entry.kind === 'problem') continue
    const sign = entry.amount.startsWith('-') ? 'negative' : 'positive'
    had[sign] += 1
    if (entry.direction === 'out') said[sign] += 1
    else if (entry.direction === 'in') said[sign === 'negative' ? 'positive' : 'negative'] += 1
    if ((read += 1) === sampled) break
  }
  if (said.positive !== said.negative) return said.positive > said.negative ? 'positive' : 'negative'
  if (had.positive !== had.negative) return had.positive > had.negative ? 'positive' : 'negative'
  return format === 'csv' ? 'positive' : 'negative'
}

function toSpent({ direction: _direction, amount, ...entry }: Booking, spent: SpentSign): SpentBooking {
  if (spent === 'positive' || /^-?0(\.0*)?$/.test(amount)) return { ...entry, amount }
  return { ...entry, amount: amount.startsWith('-') ? amount.slice(1) : `-${amount}` }
}
