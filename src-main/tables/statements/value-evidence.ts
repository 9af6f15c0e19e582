import type { StatementMapping } from '#shared/domain/statements/mapping'
import type { TableReason } from '../table-reason'
import { type DateOrder, type DecimalSign, decimalSignOf, parseDay } from '../detect-values'
import type { Delimiter } from '../table-format'
import { toDayText } from './days'

/** What decides how a file writes values: what a person chose, then the file, then the card's earlier files, then custom. */
export interface Known<Value> {
  readonly chosen: Value | undefined
  readonly kept: Value | undefined
  readonly delimiter: Delimiter
}

/** A decided value; `disagrees`: the file shows another one than the card's earlier files. */
export interface Decided<Value> {
  readonly value: Value | undefined
  readonly disagrees: boolean
}

function decide<Value>({ chosen, kept }: Known<Value>, shown: Value | 'mixed' | undefined, custom: Value | undefined): Decided<Value> {
  if (chosen !== undefined) return { value: chosen, disagrees: false }
  if (shown === 'mixed') return { value: undefined, disagrees: false }
  return { value: shown ?? kept ?? custom, disagrees: shown !== undefined && kept !== undefined && shown !== kept }
}

/** Nine in ten, or disagreement. */
function most<Value extends string>(one: Value, other: Value, seen: readonly [number, number]): Value | 'mixed' | undefined {
  const [first, second] = seen
  const total = first + second
  if (total === 0) return undefined
  if (first * 10 >= total * 9) return one
  return second * 10 >= total * 9 ? other : 'mixed'
}

/** The decimal sign of amounts in a currency of `exponent` decimals: three digits after a sign are thousands unless the currency has three decimals. */
export function decideDecimal(cells: readonly string[], exponent: number, known: Known<DecimalSign>): Decided<DecimalSign> {
  let commas = 0
  let points = 0
  for (const cell of cells) {
    const grouped = exponent === 3 ? undefined : /^-?[1-9]\d{0,2}([.,])\d{3}$/.exec(cell)?.[1]
    const sign = grouped === undefined ? decimalSignOf(cell) : grouped === ',' ? '.' : ','
    if (sign === ',') commas += 1
    if (sign === '.') points += 1
  }
  return decide(known, most(',', '.', [commas, points]), known.delimiter === ';' ? ',' : '.')
}

const yearLast = /^(\d{1,2})([/.-])(\d{1,2})\2\d{4}/

/**
 * The order of days: a part above 12 is the day, points separate days that come first, and days that grow in one order alone are in that order.
 * Undefined, never guessed, if nothing says it.
 */
export function decideOrder(written: readonly string[], known: Known<DateOrder>): Decided<DateOrder> {
  const texts = written.map(toDayText)
  let dayFirst = 0
  let monthFirst = 0
  let points = 0
  let isOpen = false
  const seen: string[] = []
  for (const text of texts) {
    const parts = yearLast.exec(text)
    if (!parts) continue
    const [first, second] = [Number(parts[1]), Number(parts[3])]
    // A day in neither order, such as a bank's sort code.
    if (first > 12 && second > 12) continue
    seen.push(text)
    if (parts[2] === '.') points += 1
    if (first > 12 && second <= 12) dayFirst += 1
    else if (second > 12 && first <= 12) monthFirst += 1
    else if (first !== second) isOpen = true
  }
  if (seen.length === 0) return { value: known.chosen ?? 'ymd', disagrees: false }
  const shown = most<DateOrder>('dmy', 'mdy', [dayFirst, monthFirst]) ?? (points === seen.length ? 'dmy' : growing(seen))
  return decide(known, shown, known.delimiter === ';' || !isOpen ? 'dmy' : undefined)
}

/** The only order in which days grow, or shrink, down the file. */
function growing(texts: readonly string[]): DateOrder | undefined {
  const isSorted = (order: DateOrder) => {
    const days = texts.map((text) => parseDay(text, order) ?? '')
    if (new Set(days).size < 4) return false
    return (
      days.every((day, at) => at === 0 || day >= (days[at - 1] ?? '')) || days.every((day, at) => at === 0 || day <= (days[at - 1] ?? ''))
    )
  }
  const orders = (['dmy', 'mdy'] as const).filter(isSorted)
  return orders.length === 1 ? orders[0] : undefined
}

/** The sentence of a file whose values are other than those of the card's earlier files. */
export function memoryNote(part: 'date_order' | 'decimal' | 'spent' | 'columns', mapping: StatementMapping): TableReason {
  const value = part === 'columns' ? '' : (mapping[part] ?? '')
  return { code: `memory_${part}${value === ',' ? '_comma' : value === '.' ? '_point' : value === '' ? '' : `_${value}`}` }
}
