import { type DateOrder, type DecimalSign, detectDateOrder, detectDecimal, parseDay, parseDecimal } from '../detect-values'
import { type StatementEntry, joinTexts, problemAt } from './entry'
import { readLines } from './lines'

/** How a file writes days and amounts. */
export interface ValueStyle {
  readonly date_order: DateOrder
  readonly decimal: DecimalSign
}

interface Opened {
  line: number
  readonly values: Map<string, string>
}

/** Account types whose entries are money. */
const moneyTypes = /^!type:\s*(ccard|bank|cash|oth a|oth l)/i
/** The number of lines from which values' formats are detected. */
const sampled = 20_000

/** Detects how a QIF file writes values; undefined if its days are ambiguous. */
export function detectQif(text: () => Iterable<string>): Partial<ValueStyle> {
  const days: string[] = []
  const amounts: string[] = []
  let read = 0
  for (const { text: line } of readLines(text())) {
    if (line.startsWith('D')) days.push(fullDay(line.slice(1)))
    if (line.startsWith('T')) amounts.push(line.slice(1))
    if ((read += 1) === sampled) break
  }
  return { date_order: detectDateOrder(days, ','), decimal: detectDecimal(amounts, ',') }
}

/** Writes days such as `1/25'04`, `1/25/04` and `25.01.2004` with a four-digit year. */
function fullDay(text: string): string {
  const [, first, mark, second, year] = /^\s*(\d{1,2})\s*([/.-])\s*(\d{1,2})\s*['/.-]\s*(\d{4}|\d{2})\s*$/.exec(text) ?? []
  if (first === undefined || mark === undefined || second === undefined || year === undefined) return text.trim()
  const full = year.length === 4 ? year : `${text.includes("'") || Number(year) < 70 ? 20 : 19}${year}`
  return [first, second, full].join(mark)
}

/** The transactions of a QIF file. */
export function* readQif(text: Iterable<string>, style: ValueStyle): Generator<StatementEntry> {
  let opened: Opened | undefined
  let isMoney = true
  for (const { line, text: written } of readLines(text)) {
    if (written.startsWith('!')) {
      if (/^!type:/i.test(written)) isMoney = moneyTypes.test(written)
      else if (/^!account/i.test(written)) isMoney = false
      opened = undefined
      continue
    }
    if (!isMoney || written.trim() === '') continue
    if (written.startsWith('^')) {
      if (opened) yield toBooking(opened, style)
      opened = undefined
      continue
    }
    opened ??= { line, values: new Map() }
    const code = written.slice(0, 1)
    // A split repeats codes; the whole's come first.
    if (!opened.values.has(code)) opened.values.set(code, written.slice(1).trim())
  }
  if (opened) yield problemAt(opened.line, 'truncated')
}

function toBooking({ line, values }: Opened, style: ValueStyle): StatementEntry {
  const written = values.get('D') ?? ''
  const day = parseDay(fullDay(written), style.date_order)
  if (day === undefined) return problemAt(line, 'no_day', { text: written })
  const sum = values.get('T') ?? values.get('U') ?? ''
  const amount = parseDecimal(sum, style.decimal)
  if (amount === undefined) return problemAt(line, 'no_amount', { text: sum })
  return {
    ...{ kind: 'booking', line, day, amount, currency: null, direction: null, type: null, original: null },
    text: joinTexts(values.get('P'), values.get('M')),
    reference: null,
  }
}
