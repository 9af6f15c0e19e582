import type { HeadRecord } from './csv-rows'
import type { Cell, ReadRow } from './pdf-rows'
import { isBalance, isCarried, sumNamed } from './status-words'

/** A balance that a PDF states: which, where it says so, and its amount as written. */
interface FoundSum {
  readonly line: number
  readonly what: 'opening' | 'closing' | undefined
  readonly figure: string
}

/** The rows below a name in which its amount may be. */
const rowsBelow = 2
/** How far from its name's edges an amount below it may be, in points. */
const margin = 12
/** Names that `sumNamed` reads. */
const names = { opening: 'Opening balance', closing: 'Closing balance' } as const

const whatOf = (text: string) => {
  const named = sumNamed(text)
  return named === 'total' ? undefined : named
}

/** Whether a row is a balance or a total of the statement. A merchant can be called Total: with a day it is a booking. */
export function isSumRow(row: ReadRow): boolean {
  const { texts, days } = row
  const [first] = texts
  if (!first) return false
  return isBalanceRow(row) || (sumNamed(first.text) === 'total' && days.length === 0)
}

/** Whether a row is a balance of the statement. A day, an amount and the balance after it are a booking. */
export const isBalanceRow = ({ texts: [first], days, figures }: ReadRow): boolean =>
  first !== undefined &&
  (days.length === 0 || figures.length < 2) &&
  (whatOf(first.text) !== undefined || isBalance(first.text) || (days.length === 0 && isCarried(first.text)))

/**
 * The balances at the start and end of an account's rows, as the records above a table. Balances within the table, as at the end of each page, are none.
 * `first`, `last`: the lines of the first and the last booking.
 */
export function findSums(rows: readonly ReadRow[], { first, last }: { first: number; last: number }): HeadRecord[] {
  const sums = rows.flatMap((row, index) => sumsIn(row, rows.slice(index + 1, index + 1 + rowsBelow)))
  const outside = sums.filter(({ line }) => line < first || line > last)
  const of = (what: 'opening' | 'closing') => outside.filter((sum) => sum.what === what)
  const [before, after] = [outside.filter(({ line }) => line < first), outside.filter(({ line }) => line > last)]
  const unnamed = (those: readonly FoundSum[]) => those.filter(({ what }) => what === undefined)
  const opening = of('opening')[0] ?? unnamed(before)[0]
  const closing = of('closing').at(-1) ?? unnamed(after).at(-1)
  const record = (what: keyof typeof names, sum: FoundSum | undefined) =>
    sum ? [{ line: sum.line, fields: [names[what], sum.figure] }] : []
  return [...record('opening', opening), ...record('closing', closing)]
}

function sumsIn(row: ReadRow, below: readonly ReadRow[]): FoundSum[] {
  if (row.days.length > 0 && row.figures.length > 1) return []
  return row.texts.flatMap((text, index): FoundSum[] => {
    const what = whatOf(text.text)
    if (what === undefined && !isBalance(text.text)) return []
    const next = row.texts[index + 1]?.left ?? Infinity
    const figure = row.figures.findLast(({ left }) => left >= text.right - 1 && left < next) ?? figureBelow(row, text, below)
    return figure ? [{ line: row.line, what, figure: figure.text }] : []
  })
}

function figureBelow(row: ReadRow, { left, right }: Cell, below: readonly ReadRow[]): Cell | undefined {
  return below
    .filter(({ page, days }) => page === row.page && days.length === 0)
    .flatMap(({ figures }) => figures.filter((cell) => cell.right > left - margin && cell.left < right + margin))[0]
}
