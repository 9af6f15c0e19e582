import { type MappedColumn, mappedColumns } from '#shared/domain/statements/mapping'
import type { TableRow } from '../read-table'
import { UnreadableTable } from '../table-reason'
import type { KnownOfFile, OpenedTable } from './csv'
import { toHeading, columnsNamed } from './headings'
import { type AccountRow, accountAt, headsOf, linesOfAccounts } from './pdf-accounts'
import { type FoundDay, dayAt, daysIn, lastDayIn, wholeDay } from './pdf-days'
import { type Cell, type ReadRow, type TextRow, readRows, toReadRow, withoutFurniture } from './pdf-rows'
import { isBalanceRow, isSumRow } from './pdf-sums'
import { decideOrder } from './value-evidence'

/** A column of amounts: its place, and the name above it. */
interface Column {
  readonly left: number
  readonly right: number
  readonly count: number
  readonly name: string
}

/** The places of a table's columns, by name. */
interface Columns {
  readonly days: readonly Column[]
  readonly texts: readonly Column[]
  readonly figures: readonly Column[]
}

/** A booking that is being read: its texts by column, and whether it has an amount. */
interface Opened {
  readonly row: ReadRow
  readonly fields: Record<string, string>
  hasFigures: boolean
}

/** Rows that are farther apart than this multiple of the usual step do not belong together. */
const farther = 1.6
/** The most rows over which a text is wrapped. */
const mostWrapped = 4
/** The share of bookings that have an amount in a column without a heading. */
const fewest = 0.3
/** A table with more columns of amounts is no statement. */
const mostFigures = 12
/** The rows that are looked through for headings, and how far apart the two rows of one can be, in heights of its letters. */
const headRows = 400
const twoRows = 2.2

const overlap = (one: Pick<Cell, 'left' | 'right'>, other: Pick<Cell, 'left' | 'right'>) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left)

/** The bookings of a PDF as a table, by the places of its texts. Throws {@link UnreadableTable} if it has none. */
export function openPages(text: Iterable<string>, { chosen, kept: earlier }: KnownOfFile): OpenedTable {
  const all = readRows(text)
  if (all.length === 0) throw new UnreadableTable([{ code: 'pdf_picture' }])
  const heading = findHeading(all)
  const ofAccounts = linesOfAccounts(all)
  const kept = withoutFurniture(
    all,
    (row) => ofAccounts.has(row.line) || isHeading(row, heading) || dayAt(row.cells[0]?.text ?? '') !== undefined,
  )
  const isBooked = (row: ReadRow) => row.days.length > 0 && row.figures.length > 0 && !isSumRow(row)
  const decimal = kept.map((row) => toReadRow(row, false))
  const isWhole = !decimal.some((row) => isBooked(row) && row.figures.some(({ text: figure }) => /[.,]\d\d\D*$/.test(figure)))
  const read = isWhole ? kept.map((row) => toReadRow(row, true)) : decimal
  const booked = read.filter(isBooked)
  const columns = columnsOf(read, booked, heading)
  if (columns.days.length === 0 || columns.figures.length === 0 || columns.figures.length > mostFigures)
    throw new UnreadableTable([{ code: 'pdf_no_lines' }])
  const heads = new Set(read.filter((row) => isHeading(row, heading)).map(({ line }) => line))
  const { bookings, others, accounts } = readBookings(read, columns, heads)
  if (bookings.length === 0) throw new UnreadableTable([{ code: 'pdf_no_lines' }])
  const names = [...columns.days, ...columns.texts, ...columns.figures].map(({ name }) => name)
  const written = [...bookings.map(({ row }) => row), ...others].flatMap(({ days }) => days.slice(0, 1).map(({ found }) => found))
  const order = decideOrder([...written.map(sampleOf), ...daysIn(read.flatMap(({ cells }) => cells.map((cell) => cell.text)))], {
    ...{ chosen: chosen.date_order, kept: earlier.date_order, delimiter: '\t' as const },
  })
  const lines = new Set(bookings.map(({ row }) => row.line))
  const last = lastDayIn(
    read.filter(({ line }) => !lines.has(line)).map(({ cells }) => cells.map((cell) => cell.text).join(' ')),
    order.value ?? 'dmy',
  )
  const toDay = (found: FoundDay) => wholeDay(found, { order: order.value, last })
  const rows = [...bookings.map((one) => toTableRow(one, columns, toDay)), ...others.map((row) => leftOver(row, columns))]
  const entries = rows
    .toSorted((one, other) => one.line - other.line)
    .map((row) => ({ ...row, fields: Object.fromEntries(names.map((name) => [name, row.fields[name] ?? ''])) }))
  return {
    table: {
      ...{ headers: names, repeated: [], entries: () => entries },
      format: { encoding: 'utf-8', delimiter: '\t', header_line: heading?.line ?? 1, quote: '' },
    },
    ...{ encoding: 'utf-8', order },
    ...headsOf(read, accounts, [...lines]),
  }
}

const sampleOf = ({ text, short }: FoundDay) =>
  short && !short.isNamed ? `${text.replace(/\.$/, '').replaceAll(/\s/g, '')}${/\d(\D)/.exec(text)?.[1] ?? '/'}2024` : text

/** The row, or two, that name the columns. */
interface Heading {
  readonly line: number
  readonly cells: readonly Cell[]
  readonly texts: ReadonlySet<string>
}

const textOf = ({ cells }: Pick<TextRow, 'cells'>) => toHeading(cells.map(({ text }) => text).join(' '))
const isHeading = (row: TextRow, heading: Heading | undefined) => heading?.texts.has(textOf(row)) ?? false

function findHeading(rows: readonly TextRow[]): Heading | undefined {
  const possible = rows
    .slice(0, headRows)
    .filter((row) => row.cells.length <= 15 && row.cells.every(({ text }) => text.length <= 60 && !dayAt(text)))
  const single = possible.map((row): Heading => ({ line: row.line, cells: row.cells, texts: new Set([textOf(row)]) }))
  const double = possible.flatMap((row, index): Heading[] => {
    const below = possible[index + 1]
    if (!below || below.line !== row.line + 1 || below.page !== row.page || below.base - row.base > twoRows * row.height) return []
    const alone = below.cells.filter((cell) => !row.cells.some((above) => overlap(above, cell) > 0))
    const cells = row.cells.map((above) =>
      below.cells.reduce(
        (joined, cell) =>
          overlap(above, cell) > 0
            ? { text: `${joined.text} ${cell.text}`, left: Math.min(joined.left, cell.left), right: Math.max(joined.right, cell.right) }
            : joined,
        above,
      ),
    )
    return [
      {
        line: row.line,
        cells: [...cells, ...alone].toSorted((one, other) => one.left - other.left),
        texts: new Set([textOf(row), textOf(below)]),
      },
    ]
  })
  const known = new Map<string, MappedColumn[]>()
  const namedBy = (cell: Cell) => {
    const fields = known.get(cell.text) ?? fieldsOf(cell)
    known.set(cell.text, fields)
    return fields
  }
  const scored = [...single, ...double].map((heading) => ({ heading, count: countNamed(heading.cells, namedBy) }))
  const [best] = scored.toSorted((one, other) => other.count - one.count)
  return best && best.count >= 2 ? best.heading : undefined
}

/** The meanings of a column that a text names. */
const fieldsOf = ({ text }: Cell): MappedColumn[] => mappedColumns.filter((field) => columnsNamed(field, [text]).length > 0)
const amounts: ReadonlySet<MappedColumn> = new Set(['amount', 'debit', 'credit', 'balance'])

/** How many meanings of columns texts name; 0 without an amount. */
function countNamed(cells: readonly Cell[], namedBy: (cell: Cell) => readonly MappedColumn[]): number {
  const named = cells.map(namedBy).filter((fields) => fields.length > 0)
  const fields = new Set(named.flat())
  return [...fields].some((field) => amounts.has(field)) ? Math.min(fields.size, named.length) : 0
}

function columnsOf(rows: readonly ReadRow[], booked: readonly ReadRow[], heading: Heading | undefined): Columns {
  const rest = [...(heading?.cells ?? [])]
  const take = (column: Pick<Column, 'left' | 'right'>, margin: number) => {
    const reach = { left: column.left - margin, right: column.right + margin }
    const [named] = rest.filter((cell) => overlap(cell, reach) > 0).toSorted((one, other) => overlap(other, reach) - overlap(one, reach))
    if (named) rest.splice(rest.indexOf(named), 1)
    return named?.text
  }
  const used = new Set<string>()
  const named = (places: ReadonlyArray<Omit<Column, 'name'>>, usual: string, margin: number) =>
    places.map((place): Column => {
      const name = take(place, margin)
      let unique = name ?? usual
      for (let nth = 2; used.has(unique); nth += 1) unique = `${name ?? usual} (${nth})`
      used.add(unique)
      return { ...place, name: unique }
    })
  const dayPlaces = [0, 1, 2].flatMap((nth) => {
    const those = booked.flatMap(({ days }) => days.slice(nth, nth + 1))
    const [most] = placesOf(those.map((cell) => [cell])).toSorted((one, other) => other.count - one.count)
    return most && (nth === 0 || most.count * 2 > booked.length) ? [most] : []
  })
  const days = named(dayPlaces, 'date', 2)
  const inTable = booked.filter((row) => days[0] !== undefined && isAt(row.days[0], days[0]))
  const places = placesOf([...inTable, ...belowDays(rows, days[0])].map(({ figures }) => figures))
  const isMoney = (cell: Cell) => fieldsOf(cell).some((field) => amounts.has(field))
  const isSure = (place: Omit<Column, 'name'>) =>
    place.count >= inTable.length * fewest || (heading?.cells.some((cell) => isMoney(cell) && overlap(cell, place) > 0) ?? false)
  const firstSure = Math.min(...places.filter(isSure).map(({ left }) => left))
  const figures = named(
    places.filter(({ left }) => left >= firstSure),
    'column',
    12,
  )
  const free = rest.filter((cell) => !isMoney(cell))
  const own = free.length > 0 ? free : [{ text: 'text', left: Infinity, right: Infinity }]
  const texts = own.map((cell) => ({ ...cell, count: 0, name: cell.text }))
  for (const text of texts) {
    let unique = text.name
    for (let nth = 2; used.has(unique); nth += 1) unique = `${text.name} (${nth})`
    used.add((text.name = unique))
  }
  return { days, texts, figures }
}

const isAt = (cell: Cell | undefined, column: Pick<Column, 'left' | 'right'>) => cell !== undefined && overlap(cell, column) > 0

/** Rows with amounts below a row that has a day: of the same line if that has none, otherwise of another line of that day. */
function belowDays(rows: readonly ReadRow[], dayColumn: Column | undefined): ReadRow[] {
  const step = usualStep(rows)
  let isOpen = false
  return rows.filter((row, index) => {
    const before = rows[index - 1]
    const isDay = dayColumn !== undefined && isAt(row.days[0], dayColumn)
    isOpen = isDay || (isOpen && before !== undefined && isNear(row, before, step) && !isSumRow(row))
    return isOpen && !isDay && row.figures.length > 0 && row.texts.length > 0
  })
}

const isNear = (row: ReadRow, before: ReadRow, step: number) => before.page === row.page && row.base - before.base <= farther * step

/** Amounts of one column end within so many points of each other where they are next to others. */
const nearEdge = 7

/** The columns of amounts: those that are above each other, or that end at one place if rows have two amounts there. */
function placesOf(rows: ReadonlyArray<readonly Cell[]>): Array<Omit<Column, 'name'>> {
  const group = (key: (cell: Cell) => readonly [number, number]) => {
    const groups: Array<{ cells: Cell[]; end: number }> = []
    for (const cell of rows.flat().toSorted((one, other) => key(one)[0] - key(other)[0])) {
      const [from, to] = key(cell)
      const last = groups.at(-1)
      if (!last || from > last.end) groups.push({ cells: [cell], end: to })
      else {
        last.cells.push(cell)
        last.end = Math.max(last.end, to)
      }
    }
    return groups.map(({ cells }) => cells)
  }
  const above = group(({ left, right }) => [left, right])
  const groupOf = new Map(above.flatMap((cells, nth) => cells.map((cell) => [cell, nth] as const)))
  const isTwice = rows.some((row) => new Set(row.map((cell) => groupOf.get(cell))).size < row.length)
  const groups = isTwice ? group(({ right }) => [right, right + nearEdge]) : above
  return groups
    .map((cells) => ({
      left: Math.min(...cells.map(({ left }) => left)),
      right: Math.max(...cells.map(({ right }) => right)),
      count: cells.length,
    }))
    .toSorted((one, other) => one.left - other.left)
}

interface Bookings {
  readonly bookings: readonly Opened[]
  /** Rows with a day, or with an amount in a column of the table, that are no bookings. */
  readonly others: readonly ReadRow[]
  /** The rows that name an account and belong to no booking. */
  readonly accounts: readonly AccountRow[]
}

/** The bookings of a table: each begins with a day; rows below without one continue it, or are of the same day if they have another amount. */
function readBookings(rows: readonly ReadRow[], columns: Columns, heads: ReadonlySet<number>): Bookings {
  const [dayColumn] = columns.days
  const step = usualStep(rows)
  const firstHeads = new Map<number, number>()
  for (const row of rows) if (heads.has(row.line) && !firstHeads.has(row.page)) firstHeads.set(row.page, row.line)
  const bookings: Opened[] = []
  const others: ReadRow[] = []
  const accounts: AccountRow[] = []
  let current: Opened | undefined
  let days: ReadRow['days'] = []
  let [last, wrapped] = [rows[0], 0]
  for (const [index, row] of rows.entries()) {
    const follows = last !== undefined && isNear(row, last, step)
    const isAbove = row.line < (firstHeads.get(row.page) ?? 0)
    const figures = row.figures.filter((cell) => columns.figures.some((column) => isAt(cell, column)))
    const hasDay = dayColumn !== undefined && isAt(row.days[0], dayColumn)
    const begin = (own: ReadRow['days']) => {
      days = own
      current = { row: { ...row, days: own }, fields: {}, hasFigures: figures.length > 0 }
      bookings.push(current)
      wrapped = 0
      addTo(current, row, columns)
    }
    const isLoose = row.days.length === 0 && row.figures.length === 0 && !(current && follows && isBelowText(row, columns))
    const account = isLoose ? accountAt(rows, index) : undefined
    if (account) {
      accounts.push(account)
      ;[current, days] = [undefined, []]
    }
    if (account || heads.has(row.line)) {
      last = row
      continue
    }
    if (isSumRow(row) || isAbove) {
      current = undefined
      if (!isAbove && figures.length > 0 && !isBalanceRow(row)) others.push(row)
      if (!isAbove) last = row
      continue
    }
    if (hasDay) begin(row.days)
    else if (figures.length > 0 && current && !current.hasFigures && follows) {
      current.hasFigures = true
      addTo(current, row, columns)
    } else if (figures.length > 0 && days.length > 0 && follows && row.texts.length > 0) begin(days)
    else if (figures.length > 0) {
      current = undefined
      others.push(row)
    } else if (current && follows && wrapped < mostWrapped && isBelowText(row, columns)) {
      wrapped += 1
      addTo(current, row, columns)
    } else if (!follows) current = undefined
    last = row
  }
  // A day without an amount is shown as left out.
  const bare = bookings.filter(({ hasFigures }) => !hasFigures).map(({ row }) => row)
  const booked = new Set(bookings.map(({ row }) => row.line))
  const ends = new Map(
    rows.flatMap((row) => (heads.has(row.line) || isBalanceRow(row) || booked.has(row.line) ? [[row.page, row.line] as const] : [])),
  )
  return {
    bookings: bookings.filter(({ hasFigures }) => hasFigures),
    others: [...others, ...bare],
    // At the foot of a page no booking follows.
    accounts: accounts.filter(({ line, page }) => line < (ends.get(page) ?? 0)),
  }
}

/** Whether a row is under the texts of the table, and not under its days. */
const isBelowText = ({ cells }: ReadRow, { days, figures }: Columns) =>
  cells.every((cell) => cell.left > (days[0]?.left ?? 0) + 1 || days.length === 0) &&
  (cells[0]?.left ?? Infinity) < (figures.at(-1)?.left ?? 0)

function usualStep(rows: readonly ReadRow[]): number {
  const steps = rows.flatMap((row, index) => {
    const before = rows[index - 1]
    return before && before.page === row.page && (row.days.length > 0 || before.days.length > 0) ? [row.base - before.base] : []
  })
  const sorted = steps.toSorted((one, other) => one - other)
  return Math.max(12, sorted[Math.floor(sorted.length / 2)] ?? 0)
}

/** The column in which a text is: by its place, otherwise the one that begins before it. */
function columnOf(cell: Cell, columns: readonly Column[]): Column | undefined {
  const [over] = columns.filter((column) => isAt(cell, column)).toSorted((one, other) => overlap(cell, other) - overlap(cell, one))
  return over ?? columns.findLast(({ left }) => left <= cell.left) ?? columns[0]
}

function addTo({ fields, row: { line } }: Opened, row: ReadRow, columns: Columns): void {
  const main = mainText(columns)
  const append = (name: string | undefined, text: string) => {
    if (name !== undefined) fields[name] = [fields[name] ?? '', text].filter((part) => part !== '').join(' ')
  }
  const stray = row.figures.filter((cell) => !columns.figures.some((column) => isAt(cell, column)))
  for (const cell of [...row.texts, ...stray].toSorted((one, other) => one.left - other.left)) {
    const isWrapped = row.line !== line && row.figures.length === 0
    append(isWrapped ? main?.name : columnOf(cell, columns.texts)?.name, cell.text)
  }
  for (const cell of row.figures.filter((one) => !stray.includes(one))) append(columnOf(cell, columns.figures)?.name, cell.text)
}

const mainText = ({ texts }: Columns) => texts.find(({ name }) => columnsNamed('text', [name]).length > 0) ?? texts[0]

function toTableRow({ row, fields }: Opened, { days }: Columns, toDay: (found: FoundDay) => string): TableRow {
  const written = days.flatMap((column, nth) => {
    const cell = row.days[nth]
    return cell ? [[column.name, toDay(cell.found)] as const] : []
  })
  return { kind: 'row', line: row.line, fields: { ...fields, ...Object.fromEntries(written) } }
}

/** A row that is no booking: its text alone. */
function leftOver(row: ReadRow, columns: Columns): TableRow {
  const name = mainText(columns)?.name ?? ''
  return { kind: 'row', line: row.line, fields: { [name]: row.cells.map(({ text }) => text).join(' ') } }
}
