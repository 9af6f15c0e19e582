import { ArrowDown, ArrowUp, Check, Minus } from 'lucide-react'
import { useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences, untouchedColumns } from '../../state/preferences'
import { moveColumn, resizeColumn } from './grid-layout'
import type { GridColumn, GridSelection, GridSort } from './grid-types'
import classes from './virtual-grid.module.css'

const resizeStepPx = 8

/** The room of the arrow that says how a column is sorted: kept free, so that sorting moves nothing. */
const arrowPx = 16

/** What the header row needs. `placed` are the columns drawn, `columns` all of them. */
export type GridHeaderProps<T> = {
  gridId: string
  columns: readonly GridColumn<T>[]
  placed: readonly GridColumn<T>[]
  template: string
  selection?: GridSelection<T>
  sort?: GridSort
  onSort?: (sort: GridSort) => void
  onDraw: (header: HTMLElement) => void
}

/** The header row: a click sorts; dragging an edge or Alt+arrows resizes; Alt+Shift+arrows moves the column. */
export function GridHeader<T>({ gridId, columns, placed, template, selection, sort, onSort, onDraw }: GridHeaderProps<T>) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (ref.current) onDraw(ref.current)
  }, [placed, onDraw])
  return (
    <div ref={ref} className={classes.header} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
      {selection && <HeadCheck selection={selection} />}
      {placed.map((column) => (
        <HeadCell key={column.id} gridId={gridId} columns={columns} column={column} sort={sort} onSort={onSort} />
      ))}
    </div>
  )
}

function HeadCheck<T>({ selection }: { selection: GridSelection<T> }) {
  const { t } = useTranslation('ui')
  const { extent } = selection
  return (
    <div role="columnheader">
      <button
        type="button"
        role="checkbox"
        className={`${classes.check} ${classes.headCheck}`}
        aria-label={t('grid.selectAll')}
        aria-checked={extent === 'some' ? 'mixed' : extent === 'all'}
        onClick={() => selection.onSelect({ kind: 'toggle_all' })}
      >
        <CheckBox extent={extent} />
      </button>
    </div>
  )
}

/** The drawing of a check box; its owner gives it a meaning. */
export function CheckBox({ extent }: { extent: 'none' | 'some' | 'all' }) {
  return (
    <span className={`${classes.box} ${extent === 'none' ? '' : classes.boxOn}`} aria-hidden>
      {extent === 'all' && <Check size={11} strokeWidth={3} />}
      {extent === 'some' && <Minus size={11} strokeWidth={3} />}
    </span>
  )
}

type HeadCellProps<T> = {
  gridId: string
  columns: readonly GridColumn<T>[]
  column: GridColumn<T>
  sort?: GridSort
  onSort?: (sort: GridSort) => void
}

function HeadCell<T>({ gridId, columns, column, sort, onSort }: HeadCellProps<T>) {
  const layout = usePreferences((state) => state.columns[gridId]) ?? untouchedColumns
  const setColumns = usePreferences((state) => state.setColumns)
  const drag = useRef<{ x: number; width: number } | null>(null)
  const direction = sort?.columnId === column.id ? sort.direction : undefined
  const resize = (widthPx: number) => setColumns(gridId, resizeColumn(layout, column, widthPx))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0 || !event.altKey) return
    event.preventDefault()
    if (event.shiftKey) setColumns(gridId, moveColumn(layout, columns, { id: column.id, by }))
    else resize(column.width + by * resizeStepPx)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width: event.currentTarget.parentElement?.offsetWidth ?? column.width }
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drag.current) resize(drag.current.width + event.clientX - drag.current.x)
  }
  const canSort = column.isSortable === true && onSort !== undefined
  const text = (
    <span className={classes.headText} data-column={column.fill === true ? undefined : column.id} data-room={canSort ? arrowPx : 0}>
      {column.header}
    </span>
  )
  return (
    <div
      className={`${classes.headCell} ${column.align === 'end' ? classes.end : ''}`}
      role="columnheader"
      aria-sort={direction}
      onKeyDown={onKeyDown}
    >
      {canSort ? (
        <button
          type="button"
          className={classes.headButton}
          title={column.header}
          onClick={() => onSort({ columnId: column.id, direction: direction === 'ascending' ? 'descending' : 'ascending' })}
        >
          {text}
          {direction === 'ascending' && <ArrowUp size={12} aria-hidden />}
          {direction === 'descending' && <ArrowDown size={12} aria-hidden />}
        </button>
      ) : (
        <span className={classes.headButton}>{text}</span>
      )}
      <span
        className={classes.resizer}
        aria-hidden
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          drag.current = null
        }}
        onPointerCancel={() => {
          drag.current = null
        }}
      />
    </div>
  )
}
