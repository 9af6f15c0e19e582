import { type DateOrder, type DecimalSign, parseDay } from '../detect-values'
import { toDayText } from './days'
import { type StatementEntry, joinTexts, problemAt } from './entry'
import { parseFigure, readFigure, toNumberText } from './figures'
import { readLines } from './lines'
import { sumNamed } from './status-words'

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

/** The days and amounts of a QIF file as written, and the order of days that its `!Option` states. */
export interface QifValues {
  readonly days: readonly string[]
  readonly amounts: readonly string[]
  readonly order: DateOrder | undefined
}

/** The values by which a QIF file's formats are decided. */
export function sampleQif(text: Iterable<string>): QifValues {
  const days: string[] = []
  const amounts: string[] = []
  let order: DateOrder | undefined
  let read = 0
  for (const { text: line } of readLines(text)) {
    if (line.startsWith('D')) days.push(fullDay(line.slice(1)))
    if (line.startsWith('T')) amounts.push(toNumberText(line.slice(1)))
    const stated = /^!option:\s*([mdy]{3})\s*$/i.exec(line)?.[1]?.toLowerCase()
    if (stated === 'mdy' || stated === 'dmy' || stated === 'ymd') order = stated
    if ((read += 1) === sampled) break
  }
  return { days, amounts, order }
}

/** Writes days such as `1/25'04`, `1/25/04` and `25.01.2004` with a four-digit year. */
function fullDay(text: string): string {
  const [, first, mark, second, year] = /^\s*(\d{1,2})\s*([/.-])\s*(\d{1,2})\s*['/.-]\s*(\d{4}|\d{2})\s*$/.exec(text) ?? []
  if (first === undefined || mark === undefined || second === undefined || year === undefined) return toDayText(text)
  const full = year.length === 4 ? year : `${text.includes("'") || Number(year) < 70 ? 20 : 19}${year}`
  return [first, second, full].join(mark)
}

/** The transactions of a QIF file, account after account. */
export function* readQif(text: Iterable<string>, style: ValueStyle): Generator<StatementEntry> {
  let opened: Opened | undefined
  let part: 'money' | 'account' | 'other' = 'money'
  let account: { readonly line: number; readonly number: string } | undefined
  for (const { line, text: written } of readLines(text)) {
    if (written.startsWith('!')) {
      if (/^!type:/i.test(written)) {
        part = moneyTypes.test(written) ? 'money' : 'other'
        const kind = /ccard/i.test(written) ? 'card' : /oth l/i.test(written) ? null : 'bank'
        if (part === 'money' && (account || kind === 'bank'))
          yield { kind: 'section', ...(account ?? { line, number: null }), account: kind, continues: true }
      } else if (/^!account/i.test(written)) part = 'account'
      opened = undefined
      continue
    }
    if (part === 'other' || written.trim() === '') continue
    if (written.startsWith('^')) {
      if (opened && part === 'account') account = { line: opened.line, number: joinTexts(opened.values.get('N'), opened.values.get('D')) }
      else if (opened) yield toBooking(opened, style)
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
  if (isOpening(values))
    return {
      kind: 'balance',
      line,
      what: 'opening',
      amount: parseFigure(readFigure(values.get('T') ?? '')?.text ?? '', style.decimal) ?? '0',
    }
  const sum = values.get('T') ?? values.get('U') ?? ''
  const amount = parseFigure(readFigure(sum)?.text ?? '', style.decimal)
  if (amount === undefined) return problemAt(line, 'no_amount', { text: sum })
  return {
    ...{ kind: 'booking', line, day, amount, currency: null, direction: null, type: null, balance: null, original: null },
    text: joinTexts(values.get('P'), values.get('M')),
    reference: null,
  }
}

/** Programs begin an account with its balance as if it were a booking. */
const isOpening = (values: ReadonlyMap<string, string>) => sumNamed(values.get('P') ?? '') === 'opening'
