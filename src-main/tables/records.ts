/** How a delimited text is cut: one character between fields, one around them ('' for none). */
export interface RecordSyntax {
  delimiter: string
  quote: string
}

/** One record of a delimited text, or why there is none at that line. `line` is physical, from 1. */
export type TextRecord = { kind: 'record'; line: number; fields: string[] } | { kind: 'problem'; line: number; reason: string }

interface Scanner extends RecordSyntax {
  text: string
  lineBreak: '\n' | '\r'
}

type Scan<Found> = ({ kind: 'found'; end: number } & Found) | { kind: 'broken'; reason: string }

/** A stray quote may not swallow the rest of a large file: a longer field, in characters, is broken. */
const MAX_FIELD_LENGTH = 262_144

/**
 * Cuts delimited text (RFC 4180, any line ending) into records. Blank records are left out. A record with
 * broken quotes is a problem at its first line, and reading goes on at the physical line after it, so that
 * one stray quote costs one line.
 */
export function* readRecords(text: string, syntax: RecordSyntax): Generator<TextRecord> {
  const scanner: Scanner = { ...syntax, text, lineBreak: text.includes('\n') ? '\n' : '\r' }
  let at = 0
  let line = 1
  while (at < text.length) {
    const scan = scanRecord(scanner, at)
    if (scan.kind === 'broken') {
      yield { kind: 'problem', line, reason: scan.reason }
      at = startOfNextLine(scanner, at)
      line += 1
      continue
    }
    if (scan.fields.some((field) => field.trim() !== '')) yield { kind: 'record', line, fields: scan.fields }
    line += countBreaks(scanner, at, scan.end)
    at = scan.end
  }
}

function scanRecord(scanner: Scanner, start: number): Scan<{ fields: string[] }> {
  const { text, delimiter, quote, lineBreak } = scanner
  const fields: string[] = []
  let at = start
  for (;;) {
    const scan = text[at] === quote ? scanQuoted(scanner, at) : scanPlain(scanner, at)
    if (scan.kind === 'broken') return scan
    fields.push(scan.value)
    if (text[scan.end] === delimiter) {
      at = scan.end + 1
      continue
    }
    const breakAt = isCarriageReturn(scanner, scan.end) ? scan.end + 1 : scan.end
    return { kind: 'found', fields, end: text[breakAt] === lineBreak ? breakAt + 1 : breakAt }
  }
}

function scanPlain(scanner: Scanner, start: number): Scan<{ value: string }> {
  const { text, delimiter, lineBreak } = scanner
  let end = start
  while (end < text.length && text[end] !== delimiter && text[end] !== lineBreak) end += 1
  if (end > start && isCarriageReturn(scanner, end - 1)) end -= 1
  return { kind: 'found', value: text.slice(start, end), end }
}

function scanQuoted(scanner: Scanner, start: number): Scan<{ value: string }> {
  const { text, quote, delimiter, lineBreak } = scanner
  const limit = Math.min(text.length, start + MAX_FIELD_LENGTH)
  const parts: string[] = []
  let from = start + 1
  for (;;) {
    const close = text.indexOf(quote, from)
    if (close === -1 || close >= limit) return { kind: 'broken', reason: 'a quote is opened and not closed' }
    parts.push(text.slice(from, close))
    if (text[close + 1] === quote) {
      parts.push(quote)
      from = close + 2
      continue
    }
    const end = close + 1
    const next = text[end]
    if (next === undefined || next === delimiter || next === lineBreak || isCarriageReturn(scanner, end)) {
      return { kind: 'found', value: parts.join(''), end }
    }
    return { kind: 'broken', reason: 'there is text between a closing quote and the next delimiter' }
  }
}

function isCarriageReturn({ text, lineBreak }: Scanner, at: number): boolean {
  return lineBreak === '\n' && text[at] === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)
}

function startOfNextLine({ text, lineBreak }: Scanner, at: number): number {
  const breakAt = text.indexOf(lineBreak, at)
  return breakAt === -1 ? text.length : breakAt + 1
}

function countBreaks({ text, lineBreak }: Scanner, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf(lineBreak, from); at !== -1 && at < to; at = text.indexOf(lineBreak, at + 1)) count += 1
  return count
}
