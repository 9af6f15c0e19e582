import { useElementSize, useMergedRef } from '@mantine/hooks'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { untouchedColumns, usePreferences } from '../../state/preferences'
import { fitColumns, gridTemplate, placeColumns, sizeColumns, totalWidth } from './grid-layout'
import { GridHeader } from './grid-header'
import { GridPrint } from './grid-print'
import { GridRow, type GridRowProps } from './grid-row'
import type { GridColumn, VirtualGridProps } from './grid-types'
import { useGridInput } from './use-grid-input'
import { useIsNarrow } from './use-is-narrow'
import { useContentWidths } from './use-content-widths'
import classes from './virtual-grid.module.css'

/** The height of the header, and the default height of rows, in pixels. */
const rowHeightPx = 32

const checkWidthPx = 36

/** How high a fitted grid of many rows is: some of what is around it stays in view. */
const fittedMost = '56vh'

/** About how high a card is, until it is drawn. */
const cardPx = 84

/**
 * A table of any length that draws only its visible part. The grid has the focus and names its focused row
 * (aria-activedescendant), so focus survives rows coming and going. The keys are those of every list ({@link useGridInput}).
 */
export function VirtualGrid<T>(props: VirtualGridProps<T>) {
  const { gridId, label, columns, rowCount, getRow, subscribe, focusIndex, selection, sort, onSort, rowPx = rowHeightPx } = props
  const { ref: sizeRef, width: roomPx } = useElementSize<HTMLDivElement>()
  const checkPx = selection ? checkWidthPx : 0
  // On a narrow page a row is a card of several lines, so that nothing is scrolled sideways.
  const isCards = useIsNarrow()
  const { placed, drawn, measure } = usePlacedColumns(gridId, columns, roomPx === 0 || isCards ? undefined : roomPx - checkPx)
  const headPx = isCards ? 0 : rowHeightPx
  const template = `${selection ? `${checkPx}px ` : ''}${gridTemplate(placed)}`
  const scrollRef = useRef<HTMLDivElement>(null)
  const gridRef = useMergedRef(scrollRef, sizeRef)
  const baseId = useId()
  const virtualizer = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => (isCards ? cardPx : rowPx),
    overscan: 12,
    scrollPaddingStart: headPx,
    scrollMargin: headPx,
    rangeExtractor: (range: Range) => withFocus(defaultRangeExtractor(range), focusIndex, rowCount),
  })
  useRangeReport(virtualizer.range, props.onRangeChange)
  const pointing = useFocusInView(focusIndex, rowCount, (ahead) => {
    const { scrollTop = 0, clientHeight = 0 } = scrollRef.current ?? {}
    if (isCards || clientHeight < fewRows * rowPx) return virtualizer.scrollToIndex(focusIndex, { align: 'auto' })
    const topPx = focusIndex * rowPx + headPx
    const [first, last] = [Math.max(0, focusIndex - ahead), Math.min(focusIndex + ahead, rowCount - 1)]
    if (topPx - ahead * rowPx < scrollTop + headPx) virtualizer.scrollToIndex(first, { align: 'start' })
    else if (topPx + (1 + ahead) * rowPx > scrollTop + clientHeight) virtualizer.scrollToIndex(last, { align: 'end' })
  })
  const { onKeyDown, onRowClick } = useGridInput({
    ...props,
    gridRef: scrollRef,
    pageRows: () => Math.floor(((scrollRef.current?.clientHeight ?? 0) - rowHeightPx) / rowPx) - 1,
  })
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, isCards, rowPx])
  useKeptPlace(scrollRef, isCards ? 0 : focusIndex, { rowPx, totalPx: virtualizer.getTotalSize() })
  const minWidth = isCards ? 0 : totalWidth(placed) + checkPx
  return (
    <>
      <div
        ref={gridRef}
        className={classes.grid}
        data-cards={isCards || undefined}
        style={
          props.isFitted === true ? { flex: 'none', height: `min(${virtualizer.getTotalSize() + headPx}px, ${fittedMost})` } : undefined
        }
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-rowcount={rowCount + 1}
        aria-colcount={placed.length + (selection ? 1 : 0)}
        aria-multiselectable={selection !== undefined}
        aria-activedescendant={focusIndex >= 0 && focusIndex < rowCount ? `${baseId}-${focusIndex}` : undefined}
        {...pointing}
        onKeyDown={onKeyDown}
      >
        <div style={{ minWidth }}>
          <GridHeader
            gridId={gridId}
            columns={columns}
            placed={placed}
            template={template}
            selection={selection}
            sort={sort}
            onSort={onSort}
            onDraw={measure}
          />
          <div className={classes.body} role="rowgroup" style={{ height: virtualizer.getTotalSize() }}>
            {virtualizer.getVirtualItems().map(({ index, start }) => (
              <Row
                key={index}
                id={`${baseId}-${index}`}
                index={index}
                top={start - headPx}
                heightPx={isCards ? undefined : rowPx}
                measureRef={isCards ? virtualizer.measureElement : undefined}
                getRow={getRow}
                subscribe={subscribe}
                columns={drawn}
                template={template}
                isFocused={index === focusIndex}
                selection={selection}
                onClick={onRowClick}
                onDraw={measure}
              />
            ))}
          </div>
        </div>
      </div>
      {props.isFitted !== true && <GridPrint {...props} columns={drawn} view={viewOf(virtualizer.range)} />}
    </>
  )
}

const viewOf = (range: { startIndex: number; endIndex: number } | null) => ({ first: range?.startIndex ?? 0, last: range?.endIndex ?? 0 })

type RowProps<T> = Omit<GridRowProps<T>, 'row'> & Pick<VirtualGridProps<T>, 'getRow' | 'subscribe'>

function Row<T>({ subscribe, getRow, ...row }: RowProps<T>) {
  return subscribe ? <LiveRow subscribe={subscribe} getRow={getRow} {...row} /> : <GridRow row={getRow(row.index)} {...row} />
}

/** A row that is drawn again alone when it changes. */
function LiveRow<T>({ subscribe, getRow, ...row }: RowProps<T> & Required<Pick<RowProps<T>, 'subscribe'>>) {
  return <GridRow row={useSyncExternalStore(subscribe, () => getRow(row.index))} {...row} />
}

/** The columns that fit, with their drawn widths; `drawn` has the same columns and stays the same object while only widths change. */
function usePlacedColumns<T>(gridId: string, columns: readonly GridColumn<T>[], roomPx: number | undefined) {
  const layout = usePreferences((state) => state.columns[gridId]) ?? untouchedColumns
  const { widths, measure } = useContentWidths(columns)
  const placed = useMemo(() => {
    const wanted = placeColumns(sizeColumns(columns, widths), layout)
    return roomPx === undefined ? wanted : fitColumns(wanted, layout, roomPx)
  }, [columns, widths, layout, roomPx])
  const ids = placed.map(({ id }) => id).join(' ')
  // By their ids alone: a column that becomes wider draws none of its cells again.
  const drawn = useMemo(() => ids.split(' ').flatMap((id) => columns.filter((column) => column.id === id)), [columns, ids])
  return { placed, drawn, measure }
}

function withFocus(indexes: number[], focusIndex: number, rowCount: number): number[] {
  if (focusIndex < 0 || focusIndex >= rowCount || indexes.includes(focusIndex)) return indexes
  return [...indexes, focusIndex].toSorted((a, b) => a - b)
}

function useRangeReport(
  range: { startIndex: number; endIndex: number } | null,
  onRangeChange: VirtualGridProps<unknown>['onRangeChange'],
): void {
  const report = useEffectEvent((first: number, last: number) => onRangeChange?.(first, last))
  const first = range?.startIndex
  const last = range?.endIndex
  useEffect(() => {
    if (first !== undefined && last !== undefined) report(first, last)
  }, [first, last])
}

/** Keeps the focused row where it is on the screen while all rows become higher or lower; `totalPx`: of all rows, as drawn. */
function useKeptPlace(
  scrollRef: RefObject<HTMLElement | null>,
  focusIndex: number,
  { rowPx, totalPx }: { rowPx: number; totalPx: number },
) {
  const before = useRef(rowPx)
  const keep = useEffectEvent(() => {
    scrollRef.current?.scrollBy({ top: Math.max(0, focusIndex) * (rowPx - before.current), behavior: 'instant' })
    before.current = rowPx
  })
  useLayoutEffect(() => keep(), [totalPx])
}

/** How many rows before and after the focused one are in view, unless the grid has few rows. */
const aheadRows = 2
const fewRows = 7

/** Brings the focused row into view with those around it. Returns what hears of a pointer: under it rows stay where they are. */
function useFocusInView(focusIndex: number, rowCount: number, scrollTo: (ahead: number) => void) {
  const isPointed = useRef(false)
  const show = useEffectEvent(() => {
    if (focusIndex >= 0 && focusIndex < rowCount) scrollTo(isPointed.current ? 0 : aheadRows)
  })
  useEffect(() => show(), [focusIndex])
  return {
    onPointerDownCapture: () => {
      isPointed.current = true
    },
    onKeyDownCapture: () => {
      isPointed.current = false
    },
  }
}
