import type { TableReason } from './table-reason'

/** The syntax of a delimited text: one character between fields, one around them ('' for none). */
export interface RecordSyntax {
  delimiter: string
  quote: string
}

/** A record of a delimited text, or a problem at that line. `line` is physical, from 1. */
export type TextRecord = { kind: 'record'; line: number; fields: string[] } | { kind: 'problem'; line: number; reason: TableReason }

interface Scanner extends RecordSyntax {
  text: string
  /** Where `text` begins in the file. */
  base: number
  lineBreak: '\n' | '\r'
  /** The meaning of a doubled quote before a delimiter: a quote inside the field, or the end of the field. */
  doubled: 'escaped' | 'closing'
  /** Whether a quoted field may continue on the next line. */
  isMultiline: boolean
  /** The number of characters read so far, including repeated reads. */
  readonly cost: { looked: number }
  /**
   * A part of the file in which no quote can end a field, so that many fields without an end do not each look through it again; `single`: the place of
   * its last quote that is not doubled.
   */
  readonly endless: { from: number; to: number; single: number }
}

type Scan<Found> = ({ kind: 'found'; end: number } & Found) | { kind: 'broken'; reason: TableReason }
/** `isClean`: every quote inside a quoted field is doubled. */
type FieldScan = Scan<{ value: string; isClean: boolean }>
type RecordScan = Scan<{ fields: string[]; isClean: boolean }>

/** A longer field, in characters, is broken, so that a stray quote does not swallow a large file. */
const maxFieldLength = 65_536
/** A longer record, in characters, is broken; this much text is in memory at once. */
const maxRecordLength = 1_048_576

/** How many characters may be read again because of stray quotes, plus this multiple of the file's. */
const patience = { characters: 3_000_000, times: 8 }

const unclosed: TableReason = { code: 'unclosed_quote' }

/**
 * Splits delimited text (RFC 4180, any line ending), given in pieces, into records. Skips blank records. A quote inside a quoted field ends it only
 * before a delimiter or line end: published files have rows such as `"99 Taxi ("99")"`.
 *
 * `widthOf` returns the expected number of fields, once known. A record with another number, or one that spans lines and has quotes that are not
 * doubled, is read again with a doubled quote before a delimiter as the field's end. If it still spans lines and has another number, its first line
 * is a problem, and reading continues on the next physical line: one stray quote costs one line. If a file has so many that this takes too long,
 * quoted fields end on their line.
 */
export function* readRecords(
  chunks: Iterable<string>,
  syntax: RecordSyntax,
  widthOf: () => number | undefined = () => undefined,
): Generator<TextRecord> {
  const source = new TextWindow(chunks)
  const scanner: Scanner = {
    ...syntax,
    text: source.text,
    base: 0,
    lineBreak: source.text.includes('\n') ? '\n' : '\r',
    doubled: 'escaped',
    isMultiline: true,
    cost: { looked: 0 },
    endless: { from: 0, to: 0, single: -1 },
  }
  let line = 1
  while (source.text !== '') {
    const [blank = ''] = (scanner.lineBreak === '\n' ? /^(?:\r?\n)+/ : /^\r+/).exec(source.text) ?? []
    if (blank !== '') {
      line += countBreaks({ ...scanner, text: blank }, blank.length)
      source.drop(blank.length)
      continue
    }
    scanner.text = source.text
    scanner.base = source.dropped
    scanner.isMultiline &&= scanner.cost.looked < patience.characters + patience.times * source.dropped
    const scan = scanAny(scanner, widthOf())
    if (source.mayGrow(scan.kind === 'found' ? scan.end : source.text.length)) {
      source.grow()
      continue
    }
    if (scan.kind === 'broken' || (scan.end === source.text.length && !source.isWhole)) {
      yield { kind: 'problem', line, reason: scan.kind === 'broken' ? scan.reason : { code: 'long_line' } }
      source.skipLine(scanner.lineBreak)
      line += 1
      continue
    }
    if (scan.fields.some((field) => field.trim() !== '')) yield { kind: 'record', line, fields: scan.fields }
    line += countBreaks(scanner, scan.end)
    source.drop(scan.end)
  }
}

/** The part of a text that is in memory. */
class TextWindow {
  text = ''
  isWhole = false
  /** The length of the text that was dropped. */
  dropped = 0
  readonly #chunks: Iterator<string>

  constructor(chunks: Iterable<string>) {
    this.#chunks = chunks[Symbol.iterator]()
    // Long enough to detect the line endings.
    while (!this.isWhole && this.text.length < maxFieldLength) this.grow()
  }

  /** Whether more text could change what was read up to `end`: a quote or line break may continue after it. */
  mayGrow(end: number): boolean {
    return !this.isWhole && end + 2 > this.text.length && this.text.length < maxRecordLength
  }

  /** Reads at least twice as much, so that rereading does not happen for each piece. */
  grow(): void {
    const enough = Math.min(this.text.length * 2, maxRecordLength)
    do {
      const next = this.#chunks.next()
      if (next.done) this.isWhole = true
      else this.text += next.value
    } while (!this.isWhole && this.text.length < enough)
  }

  drop(end: number): void {
    this.dropped += end
    this.text = this.text.slice(end)
    if (this.text === '' && !this.isWhole) this.grow()
  }

  skipLine(lineBreak: string): void {
    for (;;) {
      const breakAt = this.text.indexOf(lineBreak)
      if (breakAt !== -1) return this.drop(breakAt + 1)
      this.dropped += this.text.length
      this.text = ''
      this.grow()
      if (this.isWhole) return
    }
  }
}

function scanAny(scanner: Scanner, width: number | undefined): RecordScan {
  const usual = scanRecord(scanner)
  if (width === undefined) return usual
  const isMultiline = usual.kind === 'found' && countBreaks(scanner, usual.end) > 1
  const fits = (scan: RecordScan) => scan.kind === 'found' && scan.fields.length === width
  if (usual.kind === 'found' && fits(usual) && (usual.isClean || !isMultiline)) return usual
  if (usual.kind === 'found' && !isMultiline && !scanner.text.slice(0, usual.end).includes(scanner.quote)) return usual
  const other = scanRecord({ ...scanner, doubled: 'closing' })
  if (fits(other)) return other
  return isMultiline && !fits(usual) ? { kind: 'broken', reason: unclosed } : usual
}

function scanRecord(scanner: Scanner): RecordScan {
  const { text, delimiter, quote, lineBreak } = scanner
  const fields: string[] = []
  let isClean = true
  let at = 0
  for (;;) {
    const scan = quote !== '' && text[at] === quote ? scanQuoted(scanner, at) : scanPlain(scanner, at)
    if (scan.kind === 'broken') return scan
    fields.push(scan.value)
    isClean &&= scan.isClean
    if (text[scan.end] === delimiter) {
      at = scan.end + 1
      continue
    }
    const breakAt = isCarriageReturn(scanner, scan.end) ? scan.end + 1 : scan.end
    return { kind: 'found', fields, isClean, end: text[breakAt] === lineBreak ? breakAt + 1 : breakAt }
  }
}

function scanPlain(scanner: Scanner, start: number): FieldScan {
  const { text, delimiter, lineBreak, cost } = scanner
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== lineBreak) end += 1
  cost.looked += end - start
  if (end > start && isCarriageReturn(scanner, end - 1)) end -= 1
  return { kind: 'found', value: text.slice(start, end), isClean: true, end }
}

function scanQuoted(scanner: Scanner, start: number): FieldScan {
  const { text, base, quote, doubled, cost, endless } = scanner
  const limit = Math.min(endOfField(scanner, start), start + maxFieldLength)
  let single = -1
  let isEndless = true
  let from = start + 1
  // Not amid adjacent quotes, which pair differently from each of them.
  if (text[from] !== quote && endless.from <= base + from && base + from < endless.to) {
    single = endless.single - base
    cost.looked -= Math.min(endless.to - base, limit) - from
    from = endless.to - base
  }
  for (;;) {
    const at = text.indexOf(quote, from)
    if (at === -1 || at >= limit) {
      cost.looked += limit - start
      // A quote at the limit may be the first of two.
      if (isEndless && text[limit - 1] !== quote && base + limit > endless.to)
        Object.assign(endless, { from: base + start + 1, to: base + limit, single: base + single })
      return { kind: 'broken', reason: unclosed }
    }
    const isDoubled = text[at + 1] === quote && !(doubled === 'closing' && endsField(scanner, at + 2))
    if (!isDoubled && endsField(scanner, at + 1)) {
      cost.looked += at - start
      const value = text.slice(start + 1, at).replaceAll(quote + quote, quote)
      return { kind: 'found', value, isClean: single <= start, end: at + 1 }
    }
    if (!isDoubled) single = at
    isEndless &&= !(isDoubled && endsField(scanner, at + 2))
    from = isDoubled ? at + 2 : at + 1
  }
}

/** The latest end of a quoted field that begins here. */
function endOfField({ text, lineBreak, isMultiline }: Scanner, start: number): number {
  const breakAt = isMultiline ? -1 : text.indexOf(lineBreak, start)
  return breakAt === -1 ? text.length : breakAt
}

function endsField(scanner: Scanner, at: number): boolean {
  const { text, delimiter, lineBreak } = scanner
  return at >= text.length || text[at] === delimiter || text[at] === lineBreak || isCarriageReturn(scanner, at)
}

function isCarriageReturn({ text, lineBreak }: Scanner, at: number): boolean {
  return lineBreak === '\n' && text[at] === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)
}

function countBreaks({ text, lineBreak }: Scanner, to: number): number {
  let count = 0
  for (let at = text.indexOf(lineBreak); at !== -1 && at < to; at = text.indexOf(lineBreak, at + 1)) count += 1
  return count
}
