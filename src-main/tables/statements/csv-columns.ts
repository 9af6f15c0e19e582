import { type MappedColumn, type StatementMapping, mappedColumns } from '#shared/domain/statements/mapping'
import { type Step, findRun } from '#shared/domain/statements/running'
import type { DecimalSign } from '../detect-values'
import { isDayText } from './days'
import { parseFigure, readFigure } from './figures'
import { columnsNamed, isOtherFigure } from './headings'
import { directionOf, statusOf } from './status-words'

/** A column of a sample: its trimmed cells, and how they read. */
interface Column {
  readonly name: string
  readonly cells: readonly string[]
  readonly filled: number
  /** The shares of its filled cells that are days and figures. */
  readonly days: number
  readonly figures: number
  readonly isDay: boolean
  readonly isFigure: boolean
  /** Of its different cells: a column of kinds says less than one of merchants. */
  readonly letters: number
}

/** The columns of a delimited statement. `isOpen`: two readings of its amounts are possible, and a person must choose. */
export interface FoundColumns {
  readonly columns: StatementMapping
  readonly isOpen: boolean
  readonly disagrees: boolean
}

/** An account or card as a cell names it. */
const isAccount = /^[\p{L}\d*.•·\s/-]{0,40}\d{3}\s?[A-Z]{0,3}$/u

type Rows = ReadonlyArray<Readonly<Record<string, string>>>

/** Where a column or its heading may come from: the caller, the card's earlier files, and the file. */
export interface ColumnsAsked {
  readonly chosen: StatementMapping
  readonly kept: StatementMapping
  readonly decimalOf: (cells: readonly string[]) => DecimalSign
}

/** The rows by which columns are found, and the cells in them. */
const mostRows = 400
const fewestRows = 20
const mostCells = 20_000
/** More columns of figures than a statement has are not compared with each other. */
const mostFigures = 10

/** The share of cells by which a column without a heading is of a kind; a heading needs half of them. */
const most = 0.9
const half = 0.5

/** Whether at least this share of a column's filled cells fit. */
const fitsBy = (least: number, test: (cell: string) => boolean) => {
  return ({ cells, filled }: Column) => filled > 0 && cells.filter((cell) => cell !== '' && test(cell)).length >= filled * least
}

function toColumn(name: string, rows: Rows): Column {
  const cells = rows.map((row) => (row[name] ?? '').trim())
  const filled = cells.filter((cell) => cell !== '')
  const share = (test: (cell: string) => boolean) => (filled.length === 0 ? 0 : filled.filter(test).length / filled.length)
  const days = filled.length * 2 >= cells.length ? share(isDayText) : 0
  const figures = share((cell) => readFigure(cell) !== undefined)
  return {
    ...{ name, cells, filled: filled.length, days, figures, isDay: days >= most, isFigure: days < most && figures >= most },
    letters: [...new Set(cells)].reduce((sum, cell) => sum + cell.replaceAll(/[^\p{L}]/gu, '').length, 0),
  }
}

/** The columns of a delimited statement by what they hold; headings, and the card's earlier files, decide between what is possible. */
export function findColumns(headers: readonly string[], all: Rows, { chosen, kept, decimalOf }: ColumnsAsked): FoundColumns {
  const rows = all.slice(0, Math.max(fewestRows, Math.min(mostRows, Math.floor(mostCells / headers.length))))
  const columns = headers.map((name) => toColumn(name, rows))
  const byName = new Map(columns.map((column) => [column.name, column]))
  const used = new Set<string>()
  const found: Partial<Record<MappedColumn, string>> = {}
  for (const field of mappedColumns) {
    const name = field === 'text' ? undefined : chosen[field]
    if (name !== undefined && byName.has(name)) used.add((found[field] = name))
  }
  const texts = chosen.text?.filter((name) => byName.has(name)) ?? []
  for (const name of texts) used.add(name)
  const take = (field: Exclude<MappedColumn, 'text'>, fits: (column: Column) => boolean) => {
    const names = [kept[field], ...columnsNamed(field, headers)]
    const name = names.find(
      (one) => one !== undefined && !used.has(one) && byName.has(one) && isPossible(byName.get(one), fits, rows.length),
    )
    if (found[field] === undefined && name !== undefined) used.add((found[field] = name))
  }
  take('day', ({ days }) => days >= half)
  const day = found.day ?? columns.find(({ name, isDay }) => isDay && !used.has(name))?.name
  if (day !== undefined) used.add((found.day = day))
  const isCode = (cell: string) => /^[A-Za-z]{3}$/.test(cell)
  take('original_amount', ({ figures }) => figures >= half)
  take('original_currency', fitsBy(most, isCode))
  take(
    'direction',
    fitsBy(most, (cell) => directionOf(cell) !== undefined),
  )
  take(
    'status',
    fitsBy(half, (cell) => statusOf(cell) !== undefined),
  )
  const money = findMoney(
    columns.filter(({ name }) => !used.has(name)),
    { found, kept, decimalOf, rows: rows.length },
  )
  Object.assign(found, money.found)
  for (const name of Object.values(money.found)) used.add(name)
  take('currency', fitsBy(most, isCode))
  take(
    'account',
    fitsBy(most, (cell) => isAccount.test(cell)),
  )
  const text = texts.length > 0 ? texts : textOf(columns, { used, kept, headers })
  for (const name of text) used.add(name)
  take('reference', ({ filled }) => filled > 0)
  return { columns: { ...found, text }, isOpen: money.isOpen, disagrees: money.disagrees }
}

/** A column of an empty file is what its heading says. */
const isPossible = (column: Column | undefined, fits: (column: Column) => boolean, rows: number) =>
  column !== undefined && (rows === 0 || fits(column))

function textOf(
  columns: readonly Column[],
  { used, kept, headers }: { used: ReadonlySet<string>; kept: StatementMapping; headers: readonly string[] },
) {
  const free = columns.filter(({ name }) => !used.has(name))
  const keptTexts = kept.text?.filter((name) => free.some((column) => column.name === name)) ?? []
  if (keptTexts.length > 0) return keptTexts
  const isFilled = ({ filled, cells, isDay }: Column) => !isDay && filled * 10 >= cells.length * 3
  const named = columnsNamed('text', headers).flatMap((name) => free.filter((column) => column.name === name))
  const [heading] = [...named.filter((column) => isFilled(column) && column.letters > 0), ...named]
  const [longest] = free.toSorted((one, other) => other.letters - one.letters)
  if (heading) return [heading.name]
  return longest && longest.letters > 0 ? [longest.name] : []
}

type Money = Partial<Record<'amount' | 'debit' | 'credit' | 'balance', string>>

interface MoneyAsked {
  readonly found: Partial<Record<MappedColumn, string>>
  readonly kept: StatementMapping
  readonly decimalOf: ColumnsAsked['decimalOf']
  readonly rows: number
}

/** The columns of amounts and balances: one is the running sum of the others, or headings say it, or only one is possible. */
function findMoney(
  columns: readonly Column[],
  { found, kept, decimalOf, rows }: MoneyAsked,
): { found: Money; isOpen: boolean; disagrees: boolean } {
  const isChosen = found.amount !== undefined || found.debit !== undefined || found.credit !== undefined
  const names = columns.map(({ name }) => name)
  const headedNames = (field: keyof Money) => columnsNamed(field, names)
  const isHeaded = new Set((['amount', 'debit', 'credit', 'balance'] as const).flatMap(headedNames))
  const possible = columns.filter(
    ({ name, figures, isDay, isFigure }) => rows === 0 || isFigure || (isHeaded.has(name) && !isDay && figures >= half),
  )
  const isThere = (name: string) => possible.some((column) => column.name === name)
  const named = (field: keyof Money) => headedNames(field).filter(isThere)
  // A column of money that came back can be empty for a month, next to one that is not.
  const isEmpty = new Set(columns.filter(({ filled }) => filled === 0).map(({ name }) => name))
  const side = (field: 'debit' | 'credit') => headedNames(field).filter((name) => isThere(name) || isEmpty.has(name))
  const hasSide = named('debit').length > 0 || named('credit').length > 0
  const figures = figuresOf(possible, { decimalOf, named })
  const headed = headedMoney((field) => (hasSide && (field === 'debit' || field === 'credit') ? side(field) : named(field)))
  if (isChosen) {
    const [balance] = [...runsOf(figures, found).map((money) => money.balance), headed.balance]
    return { found: balance === undefined ? {} : { balance }, isOpen: false, disagrees: false }
  }
  const runs = runsOf(figures, {})
  const isSame = (one: Money, other: Money) => one.amount === other.amount && one.debit === other.debit && one.credit === other.credit
  const isKeptThere = [kept.amount, kept.debit, kept.credit].some((name) => name !== undefined && names.includes(name))
  const keptRun = isKeptThere ? runs.find((run) => isSame(run, kept)) : undefined
  const headedRun = runs.find((run) => isSame(run, headed)) ?? withBothSides(headed, runs)
  if (runs.length > 0) {
    const [only, second] = runs
    const run = headedRun ?? keptRun ?? (second === undefined ? only : undefined)
    return { found: run ?? {}, isOpen: run === undefined, disagrees: isKeptThere && run !== undefined && !isSame(run, kept) }
  }
  const { amount, debit, credit } = kept
  if (isKeptThere) {
    const those = {
      ...(amount !== undefined && { amount }),
      ...(debit !== undefined && { debit }),
      ...(credit !== undefined && { credit }),
    }
    if (Object.values(those).every((name) => possible.some((column) => column.name === name)))
      return { found: { ...those, ...(headed.balance !== undefined && { balance: headed.balance }) }, isOpen: false, disagrees: false }
  }
  if (headed.amount !== undefined || headed.debit !== undefined || headed.credit !== undefined)
    return { found: headed, isOpen: false, disagrees: false }
  const free = figures.filter(({ name, isDecimal }) => isDecimal && name !== headed.balance && !isOtherFigure(name))
  const [one] = free
  if (free.length === 1 && one)
    return {
      found: { amount: one.name, ...(headed.balance !== undefined && { balance: headed.balance }) },
      isOpen: false,
      disagrees: false,
    }
  return { found: {}, isOpen: free.length > 1, disagrees: false }
}

/** The reading of two headed columns of which one is empty so far. */
function withBothSides({ debit, credit }: Money, runs: readonly Money[]): Money | undefined {
  const run = debit !== undefined && credit !== undefined ? runs.find(({ amount }) => amount === debit || amount === credit) : undefined
  if (debit === undefined || credit === undefined || run?.balance === undefined) return undefined
  return { debit, credit, balance: run.balance }
}

/** What headings say alone; a column has one meaning. */
function headedMoney(named: (field: keyof Money) => string[]): Money {
  const [balance] = named('balance')
  const isFree = (name: string) => name !== balance
  const debit = named('debit').find(isFree)
  const credit = named('credit').find((name) => isFree(name) && name !== debit)
  const amount = named('amount').find((name) => isFree(name) && name !== debit && name !== credit)
  const isPair = debit !== undefined && credit !== undefined
  return {
    ...(balance !== undefined && { balance }),
    ...(isPair
      ? { debit, credit }
      : amount !== undefined
        ? { amount }
        : { ...(debit !== undefined && { debit }), ...(credit !== undefined && { credit }) }),
  }
}

interface Figures {
  readonly name: string
  /** In the smallest unit that the column writes; null: no figure. */
  readonly units: ReadonlyArray<number | null>
  readonly isDecimal: boolean
}

const decimals = 4

function figuresOf(
  possible: readonly Column[],
  { decimalOf, named }: { decimalOf: ColumnsAsked['decimalOf']; named: (field: keyof Money) => string[] },
): Figures[] {
  const first = new Set((['amount', 'debit', 'credit', 'balance'] as const).flatMap((field) => named(field)))
  const some = possible.toSorted((one, other) => Number(first.has(other.name)) - Number(first.has(one.name))).slice(0, mostFigures)
  const decimal = decimalOf(some.flatMap(({ cells }) => cells.map((cell) => readFigure(cell)?.text ?? '')))
  return some.map(({ name, cells }) => ({
    name,
    units: cells.map((cell) => unitsOf(cell, decimal)),
    isDecimal: first.has(name) || cells.some((cell) => /\d[.,]\d{1,3}\D*$/.test(cell)),
  }))
}

/** A cell as a whole number of ten-thousandths; null if it is none. */
function unitsOf(cell: string, decimal: DecimalSign): number | null {
  const figure = readFigure(cell)
  const plain = figure && parseFigure(figure.text, decimal)
  if (plain === undefined) return null
  const [whole = '', fraction = ''] = plain.split('.')
  const units = Number(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
  if (!Number.isSafeInteger(units)) return null
  return figure?.side === 'out' ? -Math.abs(units) : units
}

/** The readings in which a column is the running sum of one other, or of two that are never filled together. */
function runsOf(figures: readonly Figures[], chosen: Money): Money[] {
  const amounts = figures.filter(({ units }) => units.filter((unit) => unit !== null && unit !== 0).length * 2 >= units.length)
  const found: Money[] = []
  for (const balance of figures)
    for (const amount of amounts)
      if (balance !== amount && isRun(amount.units, balance.units)) found.push({ amount: amount.name, balance: balance.name })
  for (const [at, debit] of figures.entries())
    for (const credit of figures.slice(at + 1)) {
      if (!areApart(debit.units, credit.units)) continue
      const net = debit.units.map((unit, row) => (unit ? -Math.abs(unit) : credit.units[row] ? Math.abs(credit.units[row] ?? 0) : null))
      for (const balance of figures)
        if (balance !== debit && balance !== credit && isRun(net, balance.units))
          for (const pair of [
            { debit: debit.name, credit: credit.name },
            { debit: credit.name, credit: debit.name },
          ])
            found.push({ ...pair, balance: balance.name })
    }
  return found.filter((run) =>
    (['amount', 'debit', 'credit'] as const).every((field) => chosen[field] === undefined || chosen[field] === run[field]),
  )
}

const isFilled = (unit: number | null | undefined) => unit !== null && unit !== undefined && unit !== 0

function areApart(one: Figures['units'], other: Figures['units']): boolean {
  const together = one.filter((unit, row) => isFilled(unit) && isFilled(other[row])).length
  const either = one.filter((unit, row) => isFilled(unit) || isFilled(other[row])).length
  return together === 0 && either * 10 >= one.length * 8 && one.some(isFilled) && other.some(isFilled)
}

/** Whether balances follow from amounts in at least four of five rows, and in two where there are three. */
function isRun(amounts: Figures['units'], balances: Figures['units']): boolean {
  const steps: Step[] = amounts.map((amount, row) => ({ amount: amount ?? 0, balance: balances[row] ?? null }))
  const least = Math.min(2, steps.length - 1)
  if (new Set(balances).size <= least) return false
  const run = findRun(steps)
  return run !== undefined && run.checked - run.wrong >= Math.max(1, least) && run.wrong * 5 <= run.checked
}
