import { useMergedRef } from '@mantine/hooks'
import { useLayoutEffect, useMemo, useRef, type MouseEvent, type ReactNode } from 'react'
import { CheckBox } from './grid-header'
import type { GridColumn, GridSelection } from './grid-types'
import classes from './virtual-grid.module.css'

/** What one row needs. `top` and `heightPx` in pixels; `row` is undefined while it loads. `onDraw` is given the row whenever its cells are drawn. */
export type GridRowProps<T> = {
  id: string
  index: number
  top: number
  /** Undefined: its natural height, which `measureRef` then measures. */
  heightPx: number | undefined
  measureRef?: (element: HTMLElement | null) => void
  row: T | undefined
  columns: readonly GridColumn<T>[]
  template: string
  isFocused: boolean
  selection?: GridSelection<T>
  onClick: (event: MouseEvent, click: { index: number; isOnCheck: boolean }) => void
  onDraw: (row: HTMLElement) => void
}

const alignClass = { start: '', center: classes.center, end: classes.end }

/** The cells of a row are not redrawn while the row and the columns are the same objects: a moving focus redraws none. */
function useCells<T>(row: T | undefined, columns: readonly GridColumn<T>[]): ReactNode {
  return useMemo(
    () =>
      columns.map((column) => (
        <div
          key={column.id}
          className={`${classes.cell} ${alignClass[column.align ?? 'start']}`}
          role="gridcell"
          data-fill={column.fill || undefined}
          data-label={column.isLabelled === true ? column.header : undefined}
          data-column={row === undefined ? undefined : column.id}
        >
          <CellContent row={row} column={column} />
        </div>
      )),
    [row, columns],
  )
}

function CellContent<T>({ row, column }: { row: T | undefined; column: GridColumn<T> }): ReactNode {
  if (row === undefined) return <span className={classes.bone} />
  if (column.whole !== true) return column.render(row)
  return (
    <span className={classes.whole} data-whole>
      {column.render(row)}
    </span>
  )
}

/** One row of a grid; bones of the same height while the row is on its way. */
export function GridRow<T>(props: GridRowProps<T>) {
  const { id, index, top, heightPx, measureRef, row, columns, template, isFocused, selection, onClick, onDraw } = props
  const ref = useRef<HTMLDivElement>(null)
  const cells = useCells(row, columns)
  useLayoutEffect(() => {
    if (ref.current) onDraw(ref.current)
  }, [cells, onDraw])
  const isSelected = row !== undefined && selection !== undefined && selection.isSelected(row)
  const click = (event: MouseEvent) => {
    const isOnCheck = event.target instanceof Element && event.target.closest('[data-check]') !== null
    onClick(event, { index, isOnCheck })
  }
  return (
    <div
      ref={useMergedRef(ref, measureRef)}
      data-index={index}
      id={id}
      className={`${classes.row} ${isFocused ? classes.focused : ''}`}
      role="row"
      data-focused={isFocused || undefined}
      aria-rowindex={index + 2}
      aria-selected={selection ? isSelected : undefined}
      aria-busy={row === undefined}
      onClick={click}
      style={{
        transform: `translateY(${top}px)`,
        height: heightPx,
        ...(heightPx !== undefined && { lineHeight: `${heightPx - 1}px`, gridTemplateColumns: template }),
      }}
    >
      {selection && (
        <div className={`${classes.cell} ${classes.check}`} role="gridcell" data-check>
          <CheckBox extent={isSelected ? 'all' : 'none'} />
        </div>
      )}
      {cells}
    </div>
  )
}
