import type { ColumnMap } from './column-map'
import type { Table, TableProblem } from './read-table'
import type { Delimiter } from './table-format'

/** The sign before the decimals. */
export type DecimalSign = ',' | '.'

/** The order of a day's parts: 31/12/2022, 12/31/2022 or 2022-12-31. */
export type DateOrder = 'dmy' | 'mdy' | 'ymd'

/** How a file writes its amounts and days. */
export interface DetectedValues {
  kind: 'detected'
  decimal: DecimalSign
  date_order: DateOrder
}

/** Values that could not be decided, one problem per column, at the header's line. */
export interface UndecidedValues {
  kind: 'undecided'
  problems: TableProblem[]
}

/** Detects how the mapped columns write amounts and days, over each whole column. The map takes precedence. */
export function detectValues(table: Table, map: ColumnMap): DetectedValues | UndecidedValues {
  const { amount, occurred_at } = map.columns
  const cells = function* (column: string): Generator<string> {
    for (const entry of table.entries()) if (entry.kind === 'row') yield entry.fields[column] ?? ''
  }
  const { delimiter, header_line } = table.format
  const decimal = map.decimal ?? detectDecimal(cells(amount), delimiter)
  const dateOrder = map.date_order ?? detectDateOrder(cells(occurred_at), delimiter)
  if (decimal !== undefined && dateOrder !== undefined) return { kind: 'detected', decimal, date_order: dateOrder }
  const problems: TableProblem[] = []
  if (decimal === undefined) {
    const reason = { code: 'mixed_decimals' }
    problems.push({ kind: 'problem', line: header_line, column: amount, reason })
  }
  if (dateOrder === undefined) {
    const reason = { code: 'ambiguous_days' }
    problems.push({ kind: 'problem', line: header_line, column: occurred_at, reason })
  }
  return { kind: 'undecided', problems }
}

/**
 * The decimal sign of a column of amounts. A cell decides it if it has both signs (the last one), a sign twice (the other one), or a sign that cannot
 * separate thousands (1.5, 1234.567, 0.125). If cells disagree, a nine-tenths majority decides (the others fail to parse and are reported), otherwise
 * undefined. If no cell decides (1.234, or whole numbers), a file with semicolons has a comma and others a point.
 */
export function detectDecimal(cells: Iterable<string>, delimiter: Delimiter): DecimalSign | undefined {
  const seen = { ',': 0, '.': 0 }
  for (const cell of cells) {
    const sign = decimalSignOf(cell)
    if (sign !== undefined) seen[sign] += 1
  }
  if (seen[','] + seen['.'] === 0) return delimiter === ';' ? ',' : '.'
  return majority(seen)
}

/** The decimal sign that a cell alone shows, if any. */
export function decimalSignOf(cell: string): DecimalSign | undefined {
  const signs = [...cell.matchAll(/[.,](?=\d)/g)].map(([sign]) => (sign === ',' ? ',' : '.'))
  const last = signs.at(-1)
  if (last === undefined) return undefined
  const other = last === ',' ? '.' : ','
  if (signs.includes(other)) return last
  if (signs.length > 1) return other
  return /(?<!\d)[1-9]\d{0,2}[.,]\d{3}(?!\d)/.test(cell) ? undefined : last
}

/**
 * The date order of a column of days. Days with the year first are `ymd` and decide nothing about others; with the year last, a part above 12 is the
 * day. If cells disagree, a nine-tenths majority decides. If none decides, a file with semicolons is day first; others are undefined, never guessed.
 */
export function detectDateOrder(cells: Iterable<string>, delimiter: Delimiter): DateOrder | undefined {
  const seen = { dmy: 0, mdy: 0 }
  let yearLast = false
  let ambiguous = false
  for (const cell of cells) {
    const parts = YEAR_LAST.exec(cell.trim())
    if (parts === null) continue
    yearLast = true
    const [first, second] = [Number(parts[1]), Number(parts[3])]
    if (first > 12 && second <= 12) seen.dmy += 1
    else if (second > 12 && first <= 12) seen.mdy += 1
    else if (first !== second) ambiguous = true
  }
  if (!yearLast) return 'ymd'
  if (seen.dmy + seen.mdy > 0) return majority(seen)
  return delimiter === ';' || !ambiguous ? 'dmy' : undefined
}

function majority<Choice extends string>(seen: Record<Choice, number>): Choice | undefined {
  const choices: Choice[] = []
  let total = 0
  for (const choice in seen) {
    choices.push(choice)
    total += seen[choice]
  }
  return choices.find((choice) => seen[choice] * 10 >= total * 9)
}

/** Thousands may be separated by the other sign, a space or an apostrophe. */
const DECIMAL_FORMS: Record<DecimalSign, RegExp> = {
  ',': /^([-+]?)(\d{1,3}(?:([.\s'])\d{3}(?:\3\d{3})*)?|\d*)(?:,(\d+))?$/,
  '.': /^([-+]?)(\d{1,3}(?:([,\s'])\d{3}(?:\3\d{3})*)?|\d*)(?:\.(\d+))?$/,
}

/** An amount as a canonical decimal (`6000`, `1234.50`, `-0.5`); undefined if the text is not an amount. */
export function parseDecimal(text: string, decimal: DecimalSign): string | undefined {
  const parts = DECIMAL_FORMS[decimal].exec(text.trim())
  if (parts === null) return undefined
  const [, sign, grouped = '', , fraction] = parts
  if (grouped === '' && fraction === undefined) return undefined
  const whole = grouped.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '') || '0'
  return `${sign === '-' ? '-' : ''}${whole}${fraction === undefined ? '' : `.${fraction}`}`
}

const YEAR_LAST = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[T ].*)?$/
const YEAR_FIRST = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})(?:[T ].*)?$/

/**
 * A day as `YYYY-MM-DD`; undefined if the text is not an existing day. A year at the start is accepted in any order, and a time of day after it is
 * ignored. Years need four digits.
 */
export function parseDay(text: string, order: DateOrder): string | undefined {
  const yearFirst = YEAR_FIRST.exec(text.trim())
  if (yearFirst !== null) return toDay(yearFirst[1], yearFirst[3], yearFirst[4])
  const yearLast = YEAR_LAST.exec(text.trim())
  if (yearLast === null || order === 'ymd') return undefined
  const [, first, , second, year] = yearLast
  return order === 'dmy' ? toDay(year, second, first) : toDay(year, first, second)
}

function toDay(year = '', month = '', day = ''): string | undefined {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : undefined
}
