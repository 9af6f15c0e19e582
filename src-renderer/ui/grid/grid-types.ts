import type { ReactNode } from 'react'
import type { SelectionExtent } from '../../state/review-selection'
import type { PlacedColumn } from './grid-layout'

/** A column of a grid. Widths in pixels; `fill` takes the remaining room; `fixed` cannot be hidden. `header` is in the user's language. */
export type GridColumn<T> = PlacedColumn & {
  header: string
  align?: 'start' | 'center' | 'end'
  isSortable?: boolean
  /** On a card its header is before the value: of two amounts, the second does not say what it is. */
  isLabelled?: boolean
  render: (row: T) => ReactNode
}

/** The order of the rows. */
export type GridSort = { columnId: string; direction: 'ascending' | 'descending' }

/** What the user did to the selection; rows are named by index. `all`: what is on the screen, and then all that match; `matching`: these at once. */
export type GridSelect =
  | { kind: 'toggle'; index: number }
  | { kind: 'range'; from: number; to: number }
  | { kind: 'toggle_all' }
  | { kind: 'all' }
  | { kind: 'matching' }

/** Selection as the grid needs it; without it the grid has no check column. */
export type GridSelection<T> = { isSelected: (row: T) => boolean; extent: SelectionExtent; onSelect: (act: GridSelect) => void }

/**
 * Everything a grid is given. `gridId`: under which the columns are remembered. `getRow` gives undefined for a row not yet loaded. `subscribe`:
 * calls back when rows may have changed; each that did is drawn again alone, and `getRow` gives the same object for those that did not.
 */
export type VirtualGridProps<T> = {
  gridId: string
  label: string
  columns: readonly GridColumn<T>[]
  rowCount: number
  getRow: (index: number) => T | undefined
  subscribe?: (listener: () => void) => () => void
  focusIndex: number
  onFocusIndex: (index: number) => void
  onOpen?: (index: number) => void
  /** Where `j` and `k` lead, if that is not the next row; they do while a receipt fills the window too. */
  onStep?: (by: 1 | -1) => void
  selection?: GridSelection<T>
  sort?: GridSort
  onSort?: (sort: GridSort) => void
  /** The height of a row in pixels, where it holds more than one line. */
  rowPx?: number
  /** It is as high as its rows, up to a bit more than half of the page; without it, as high as the room it has. */
  isFitted?: boolean
  onRangeChange?: (first: number, last: number) => void
}
