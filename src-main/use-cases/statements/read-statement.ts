import { type StatementReport, maxListedProblems } from '#shared/contract/organization-records/statements'
import { isCurrency } from '#shared/domain/currencies'
import { maskNumbersIn } from '#shared/domain/card-numbers'
import type { Language } from '#shared/domain/locales'
import { parseAmount } from '#shared/domain/money'
import { type LineKind, lineKindOf } from '#shared/domain/statements/lines'
import type { StatementMapping } from '#shared/domain/statements/mapping'
import { type TableReason, UnreadableTable, wordReason } from '#main/tables/table-reason'
import type { TableSource } from '#main/tables/table-source'
import { type SpentBooking, openStatement } from '#main/tables/statements/statement'

/** A line that was read. `amount_minor` and `original_minor` are exact. */
export interface ReadLine {
  readonly line: number
  readonly day: string
  readonly text: string
  readonly amount_minor: number
  readonly currency: string
  readonly reference: string | null
  readonly line_kind: LineKind
  readonly original_minor: number | null
  readonly original_currency: string | null
  readonly rate: number | null
}

/** A statement that was read: its lines, and what is said of it as a whole. */
export interface ReadStatement extends Pick<StatementReport, 'format' | 'encoding' | 'headers' | 'undecided' | 'problems' | 'refused'> {
  readonly mapping: StatementMapping
  readonly lines: readonly ReadLine[]
}

/** A larger file is no statement of one card: all its lines are held, and compared with those that are known. */
const mostEntries = 50_000
const longestName = 500

/** Reads a statement to its end. What cannot be read is named by line. Throws {@link UnreadableTable} where it is none, or too long. */
export function readStatement(
  source: TableSource,
  { mapping, kept, currency, locale }: { mapping: StatementMapping; kept: StatementMapping; currency: string; locale: Language },
): ReadStatement {
  const statement = openStatement(source, mapping, kept)
  const lines: ReadLine[] = []
  const problems: Array<{ line: number; reason: string }> = []
  let refused = 0
  let read = 0
  const refuse = (line: number, reason: TableReason) => {
    refused += 1
    if (problems.length < maxListedProblems) problems.push({ line, reason: wordReason(locale, reason) })
  }
  for (const entry of statement.entries()) {
    if ((read += 1) > mostEntries) throw new UnreadableTable([{ code: 'too_many_lines', params: { most: mostEntries } }])
    if (entry.kind === 'problem') refuse(entry.line, entry.reason)
    else {
      const line = toLine(entry, currency)
      if ('code' in line) refuse(entry.line, line)
      else if (line.amount_minor !== 0) lines.push(line)
    }
  }
  const { format, encoding, headers, undecided } = statement
  return {
    ...{ format, encoding, headers: [...headers], mapping: statement.mapping, lines, problems, refused },
    undecided: undecided.map(({ code, column }) => ({ column, reason: wordReason(locale, { code, params: { column } }) })),
  }
}

function toLine(entry: SpentBooking, usual: string): ReadLine | TableReason {
  const currency = entry.currency ?? usual
  if (!isCurrency(currency)) return { code: 'no_currency', params: { text: currency } }
  const parsed = parseAmount(entry.amount, currency)
  if (parsed.kind !== 'ok') return { code: 'inexact_amount', params: { text: entry.amount, currency } }
  const { amount_minor } = parsed
  const text = maskNumbersIn(entry.text === '' ? (entry.reference ?? '–') : entry.text).slice(0, longestName)
  return {
    ...{ line: entry.line, day: entry.day, text, amount_minor, currency, reference: entry.reference },
    line_kind: lineKindOf({ amount_minor, text, type: entry.type }),
    ...originalOf(entry, currency),
  }
}

function originalOf({ original }: SpentBooking, currency: string): Pick<ReadLine, 'original_minor' | 'original_currency' | 'rate'> {
  if (!original || original.currency === currency || !isCurrency(original.currency))
    return { original_minor: null, original_currency: null, rate: null }
  const parsed = original.amount === null ? undefined : parseAmount(original.amount, original.currency)
  const rate = original.rate === null ? null : Number(original.rate)
  return {
    original_minor: parsed?.kind === 'ok' && parsed.amount_minor !== 0 ? parsed.amount_minor : null,
    original_currency: original.currency,
    rate: rate !== null && rate > 0 && Number.isFinite(rate) ? rate : null,
  }
}
