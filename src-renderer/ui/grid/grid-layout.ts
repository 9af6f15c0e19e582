import { untouchedColumns, type ColumnLayout } from '../../state/preferences'

/**
 * What of a column its place depends on. Widths in pixels; `fill` takes what is left; one that `isMeasured` claims no more than its content. A column is as wide as its content needs:
 * at most `width`, or, where `whole`, however wide that is, and at least `minWidth`, so that an amount or a date is never cut; until rows are drawn it has
 * its `width`. Where there is not room for all, columns go that have a place in the order of `yields`, the lowest first, and then
 * the others become as narrow as `minWidth`; one that `collapses` has nothing between its width and that. One that `isOptional` is hidden until the user shows it.
 */
export type PlacedColumn = {
  id: string
  width: number
  minWidth?: number
  collapses?: boolean
  fill?: boolean
  /** What its content needs, once rows are drawn. */
  contentPx?: number
  isMeasured?: boolean
  whole?: boolean
  fixed?: boolean
  isOptional?: boolean
  yields?: number
}

const smallestWidthPx = 40
/** A column that fills what is left is no wider than this, unless its content is: what is far from its name is read in the wrong row. */
const widestFillPx = 480

/** All columns in the remembered order; one that the memory does not know keeps its place after its left neighbour. */
export function orderColumns<C extends PlacedColumn>(columns: readonly C[], layout: ColumnLayout = untouchedColumns): C[] {
  const known = layout.order.filter((id) => columns.some((column) => column.id === id))
  const ids = [...known]
  columns.forEach((column, index) => {
    if (ids.includes(column.id)) return
    const left = columns[index - 1]
    ids.splice(left ? ids.indexOf(left.id) + 1 : 0, 0, column.id)
  })
  return ids.flatMap((id) => columns.filter((column) => column.id === id))
}

/** The columns as wide as their content needs, in pixels by column; one of unknown content keeps its width. */
export function sizeColumns<C extends PlacedColumn>(columns: readonly C[], contents: ReadonlyMap<string, number>): C[] {
  return columns.map((column) => {
    const content = contents.get(column.id)
    if (content === undefined) return column
    if (column.fill === true && column.isMeasured !== true) return { ...column, contentPx: content }
    if (column.whole !== true) return { ...column, width: Math.min(column.width, content), contentPx: content }
    const width = Math.max(content, column.minWidth ?? 0)
    return { ...column, width, minWidth: width }
  })
}

/** Whether a column is shown: `hidden` has those that are, and those of the optional that are not. */
export function isShown({ id, fixed, isOptional = false }: PlacedColumn, { hidden }: ColumnLayout): boolean {
  return fixed === true || hidden.includes(id) === isOptional
}

/** The columns to draw, in order, with the remembered widths; a fixed column is never hidden, a whole one never narrower than its content. */
export function placeColumns<C extends PlacedColumn>(columns: readonly C[], layout: ColumnLayout = untouchedColumns): C[] {
  return orderColumns(columns, layout)
    .filter((column) => isShown(column, layout))
    .map((column) => {
      const remembered = layout.widths[column.id] ?? column.width
      return { ...column, width: column.whole === true ? Math.max(remembered, column.width) : remembered }
    })
}

/** Of the placed columns those that there is room for, as wide as they can be, a remembered width kept; the rest is scrolled to. */
export function fitColumns<C extends PlacedColumn>(placed: readonly C[], { widths }: ColumnLayout, roomPx: number): C[] {
  const leastWidth = ({ id, width, minWidth = width }: C) => (widths[id] === undefined ? Math.min(width, minWidth) : width)
  // What yields becomes narrow itself, but makes nothing else narrow.
  const neededWidth = (column: C) => (column.yields === undefined ? column.width : leastWidth(column))
  const fits = (columns: readonly C[]) => columns.reduce((sum, column) => sum + neededWidth(column), 0) <= roomPx
  const yielding = placed.filter(({ yields }) => yields !== undefined).toSorted((a, b) => (a.yields ?? 0) - (b.yields ?? 0))
  let shown = [...placed]
  for (const column of yielding) {
    if (fits(shown)) break
    shown = shown.filter((one) => one !== column)
  }
  if (totalWidth(shown) > roomPx)
    shown = shown.map((column) => (column.collapses === true ? { ...column, width: leastWidth(column) } : column))
  const slackPx = shown.reduce((sum, column) => sum + column.width - leastWidth(column), 0)
  const excessPx = Math.min(slackPx, totalWidth(shown) - roomPx)
  if (excessPx <= 0) return shown
  return shown.map((column) => ({ ...column, width: column.width - Math.ceil(((column.width - leastWidth(column)) * excessPx) / slackPx) }))
}

/** The layout with one column as wide as asked, never narrower than it may be. */
export function resizeColumn(layout: ColumnLayout, column: PlacedColumn, widthPx: number): ColumnLayout {
  const width = Math.round(Math.max(column.minWidth ?? smallestWidthPx, Math.min(1200, widthPx)))
  return { ...layout, widths: { ...layout.widths, [column.id]: width } }
}

/** The layout with one column moved by some places; it stops at the ends. */
export function moveColumn(layout: ColumnLayout, columns: readonly PlacedColumn[], move: { id: string; by: number }): ColumnLayout {
  const order = orderColumns(columns, layout).map((column) => column.id)
  const from = order.indexOf(move.id)
  if (from < 0) return layout
  const rest = order.toSpliced(from, 1)
  return { ...layout, order: rest.toSpliced(Math.max(0, Math.min(rest.length, from + move.by)), 0, move.id) }
}

/** The layout with one column hidden or shown again. */
export function toggleColumn(layout: ColumnLayout, id: string): ColumnLayout {
  const isHidden = layout.hidden.includes(id)
  return { ...layout, hidden: isHidden ? layout.hidden.filter((hidden) => hidden !== id) : [...layout.hidden, id] }
}

/** `grid-template-columns` of the placed columns. */
export function gridTemplate(columns: readonly PlacedColumn[]): string {
  const most = ({ width, contentPx }: PlacedColumn) => (contentPx === undefined ? '1fr' : `${Math.max(widestFillPx, width, contentPx)}px`)
  return columns.map((column) => (column.fill === true ? `minmax(${column.width}px, ${most(column)})` : `${column.width}px`)).join(' ')
}

/** The least width at which every column fits, in pixels. */
export function totalWidth(columns: readonly PlacedColumn[]): number {
  return columns.reduce((sum, column) => sum + column.width, 0)
}

/** The row a key leads to from `index`, or undefined when the key is none of the grid's. `pageRows`: rows that fit. */
export function nextRow(key: string, index: number, size: { rowCount: number; pageRows: number }): number | undefined {
  const last = size.rowCount - 1
  if (last < 0) return undefined
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: index - 1,
    Home: 0,
    End: last,
    PageDown: index + size.pageRows,
    PageUp: index - size.pageRows,
  }
  const target = targets[key]
  return target === undefined ? undefined : Math.max(0, Math.min(last, target))
}
