import type { StatementMapping } from '#shared/domain/statements/mapping'
import { type DateOrder, type DecimalSign, parseDay } from '../detect-values'
import { type Table, type TableProblem, sampleRows } from '../read-table'
import { accountIn } from './account-numbers'
import { isDayText, toDayText } from './days'
import { type Booking, type StatementEntry, joinTexts, problemAt } from './entry'
import { type Figure, parseFigure, readFigure } from './figures'
import { directionOf, statusOf, sumNamed } from './status-words'

/** A mapping whose columns are in the file. */
export type WholeMapping = StatementMapping & Required<Pick<StatementMapping, 'day' | 'text' | 'date_order' | 'decimal'>>

/** A record above the table. */
export interface HeadRecord {
  readonly line: number
  readonly fields: readonly string[]
}

/** A table, the records above it, and those within it at which another account begins. */
export interface HeadedTable {
  readonly table: Table
  readonly head: readonly HeadRecord[]
  readonly later?: ReadonlyArray<readonly HeadRecord[]>
}

/** How the columns of a file mark sides: which marks occur, and whether outgoing money is written with a minus. */
interface Marks {
  readonly hasIn: boolean
  readonly hasOut: boolean
  readonly isDebitNegative: boolean
  readonly isCreditNegative: boolean
}

type Cell = (name: string | undefined) => string

/** The bookings of a delimited statement, with what its head and its other rows say. */
export function* readDelimited({ table, head, later = [] }: HeadedTable, mapping: WholeMapping): Generator<StatementEntry> {
  yield* readHead(head, mapping.decimal, later.length > 0)
  const marks = marksOf(sampleRows(table, 2_000), mapping)
  const dayOf = daysIn(mapping.date_order)
  let heads = 0
  let account = ''
  for (const entry of table.entries()) {
    for (let next = later[heads]; next && (next[0]?.line ?? 0) < entry.line; next = later[(heads += 1)])
      yield* readHead(next, mapping.decimal)
    if (entry.kind === 'problem') {
      yield toMalformed(entry)
      continue
    }
    const { line, fields } = entry
    const cell: Cell = (name) => (name === undefined ? '' : (fields[name] ?? '').trim())
    const named = cell(mapping.account)
    if (named !== '' && named !== account) {
      account = named
      yield { kind: 'section', line, number: named, account: null, continues: true }
    }
    yield toEntry(line, fields, { cell, mapping, marks, dayOf })
  }
}

/** Reads days; equal ones follow each other in most files, and are read once. */
function daysIn(order: DateOrder): (written: string) => string | undefined {
  let [last, day]: [string | undefined, string | undefined] = [undefined, undefined]
  return (written) => {
    if (written !== last) [last, day] = [written, parseDay(toDayText(written), order)]
    return day
  }
}

/** A row with another number of fields: a sentence or total below the table, otherwise a booking that cannot be read. */
function toMalformed({ line, reason }: TableProblem): StatementEntry {
  const { fields, start } = reason.params ?? {}
  const text = String(start ?? '')
  if (reason.code === 'width' && sumNamed(text) !== undefined) return { kind: 'left_out', line, reason: 'total', text }
  if (reason.code === 'width' && fields === 1 && !/^\d/.test(text)) return { kind: 'left_out', line, reason: 'no_booking', text }
  return { kind: 'problem', line, reason }
}

/** `hasOthers`: other accounts follow, so that one without a number needs a name. */
function* readHead(head: readonly HeadRecord[], decimal: DecimalSign, hasOthers = false): Generator<StatementEntry> {
  let account: { line: number; number: string } | undefined
  const sums: StatementEntry[] = []
  for (const { line, fields } of head) {
    const number = accountIn(fields.join(' '))
    if (number !== undefined) account ??= { line, number }
    const [name = '', ...others] = fields.filter((field) => field.trim() !== '')
    const what = sumNamed(name)
    const value = others.map((field) => amountIn(field, decimal)).find((amount) => amount !== undefined)
    if ((what === 'opening' || what === 'closing') && value !== undefined) sums.push({ kind: 'balance', line, what, amount: value })
  }
  if (account) yield { kind: 'section', ...account, account: null, continues: true }
  else if (hasOthers) yield { kind: 'section', line: 1, number: null, account: 'bank', continues: true }
  yield* sums
}

/** A signed amount in a cell that holds nothing else. */
function amountIn(text: string, decimal: DecimalSign): string | undefined {
  const figure = readFigure(text)
  if (!figure || (!/^-?\d+[.,]\d\d$/.test(text) && isDayText(text))) return undefined
  return signed(parseFigure(figure.text, decimal), figure.side)
}

function signed(amount: string | undefined, side: Figure['side']): string | undefined {
  if (amount === undefined || side === null) return amount
  return side === 'out' ? `-${amount.replace('-', '')}` : amount.replace('-', '')
}

function marksOf(rows: ReadonlyArray<Readonly<Record<string, string>>>, { amount, debit, credit }: WholeMapping): Marks {
  const figures = (name: string | undefined) =>
    name === undefined ? [] : rows.flatMap((row) => readFigure((row[name] ?? '').trim()) ?? [])
  const sides = new Set(figures(amount).map(({ side }) => side))
  const isNegative = (name: string | undefined) => {
    const all = figures(name).filter(({ text }) => /[1-9]/.test(text))
    return all.filter(({ text }) => text.startsWith('-')).length * 2 > all.length
  }
  return { hasIn: sides.has('in'), hasOut: sides.has('out'), isDebitNegative: isNegative(debit), isCreditNegative: isNegative(credit) }
}

interface RowReading {
  readonly dayOf: (written: string) => string | undefined
  readonly cell: Cell
  readonly mapping: WholeMapping
  readonly marks: Marks
}

function toEntry(line: number, fields: Readonly<Record<string, string>>, reading: RowReading): StatementEntry {
  const { cell, mapping } = reading
  const text = joinTexts(...mapping.text.map(cell))
  const status = statusOf(cell(mapping.status))
  if (status !== undefined && status !== 'booked') return { kind: 'left_out', line, reason: status, text }
  const written = cell(mapping.day)
  const money = readMoney(reading)
  const balance = amountIn(cell(mapping.balance), mapping.decimal) ?? null
  const day = reading.dayOf(written)
  const sum = sumRow(line, fields, { text, money, balance, hasDay: day !== undefined })
  if (sum) return sum
  const moneyCells = [mapping.amount, mapping.debit, mapping.credit].map(cell)
  if (moneyCells.every((one) => one === '') && (written === '' || day === undefined || balance !== null))
    return { kind: 'left_out', line, reason: 'no_booking', text: joinTexts(written, text) }
  if (day === undefined) return problemAt(line, 'no_day', { text: written })
  if (money === undefined) return problemAt(line, 'no_amount', { text: moneyCells.find((one) => one !== '') ?? '' })
  const currency = (name: string | undefined) => /^[A-Za-z]{3}$/.exec(cell(name))?.[0].toUpperCase() ?? null
  return {
    ...{ kind: 'booking', line, day, type: null, ...money, text, balance },
    currency: currency(mapping.currency),
    reference: cell(mapping.reference) || null,
    original: originalOf(currency(mapping.original_currency), cell(mapping.original_amount), mapping.decimal),
  }
}

/** A row that is a balance or total of the file. A merchant can be called Total: with a day it is a booking. */
function sumRow(
  line: number,
  fields: Readonly<Record<string, string>>,
  row: { text: string; money: Pick<Booking, 'amount'> | undefined; balance: string | null; hasDay: boolean },
): StatementEntry | undefined {
  const names = row.hasDay
    ? [row.text]
    : [
        row.text,
        ...Object.values(fields)
          .filter((field) => field.trim() !== '')
          .slice(0, 1),
      ]
  const what = names.map(sumNamed).find((one) => one !== undefined)
  if (what === undefined || (what === 'total' && row.hasDay)) return undefined
  // A day, an amount and the balance after it are a booking, whatever its text is.
  if (row.hasDay && row.money && row.balance !== null && row.balance !== row.money.amount) return undefined
  const amount = row.balance ?? row.money?.amount
  if (what === 'total' || amount === undefined) return { kind: 'left_out', line, reason: 'total', text: row.text }
  return { kind: 'balance', line, what, amount }
}

function readMoney({
  cell,
  mapping: { amount, debit, credit, direction, decimal },
  marks,
}: RowReading): Pick<Booking, 'amount' | 'direction'> | undefined {
  const read = (name: string | undefined) => {
    const figure = name === undefined ? undefined : readFigure(cell(name))
    const value = figure && parseFigure(figure.text, decimal)
    return value === undefined ? undefined : { value, side: figure?.side ?? null }
  }
  const toward = (value: string, way: 'in' | 'out') => ({
    amount: way === 'out' ? `-${value.replace('-', '')}` : value.replace('-', ''),
    direction: way,
  })
  if (amount !== undefined) {
    const found = read(amount)
    if (!found) return undefined
    const { value, side } = found
    const unmarked = marks.hasIn === marks.hasOut ? null : marks.hasIn ? 'out' : 'in'
    const way = directionOf(cell(direction)) ?? side ?? unmarked
    return way === null ? { amount: value, direction: null } : toward(value, way)
  }
  // In a column of outgoing money, the rarer sign is money that came back.
  const other = { in: 'out', out: 'in' } as const
  const way = (value: string, usual: 'in' | 'out', isNegative: boolean) =>
    toward(value, value.startsWith('-') === isNegative ? usual : other[usual])
  const out = read(debit)
  if (out && !isZero(out.value)) return way(out.value, 'out', marks.isDebitNegative)
  const into = read(credit)
  if (into) return way(into.value, 'in', marks.isCreditNegative)
  return out && { amount: '0', direction: null }
}

const isZero = (decimal: string) => /^-?0(\.0*)?$/.test(decimal)

function originalOf(currency: string | null, amount: string, decimal: DecimalSign): Booking['original'] {
  if (currency === null) return null
  return { amount: parseFigure(readFigure(amount)?.text ?? '', decimal)?.replace('-', '') ?? null, currency, rate: null }
}
