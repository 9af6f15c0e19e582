import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import { ProgressBar } from '../feedback/progress-bar'
import { useShortcuts } from '../keys/shortcuts'
import { now } from '../values/clock'
import { formatCount, formatMoment } from '../values/format'
import type { GridColumn, VirtualGridProps } from './grid-types'
import classes from './grid-print.module.css'

/** How many rows are asked for at a time, and how many are drawn before the page is painted again. */
const [perRead, perDraw] = [500, 40]
/** How long rows that were asked for may take, and how often they are looked for, in milliseconds. */
const [longestReadMs, lookMs] = [15_000, 30]

type GridPrintProps<T> = Pick<VirtualGridProps<T>, 'gridId' | 'label' | 'columns' | 'rowCount' | 'getRow' | 'onRangeChange'> & {
  /** The rows in view, which reading all of them comes back to. */
  view: { readonly first: number; readonly last: number }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

function knownRows<T>({ getRow, rowCount }: Pick<GridPrintProps<T>, 'getRow' | 'rowCount'>, from = 0, to = rowCount): T[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, step) => getRow(from + step)).filter((row) => row !== undefined)
}

/** Has the owner of the grid read all rows, part by part. */
async function readAll<T>(
  latest: RefObject<GridPrintProps<T>>,
  { signal, onRead }: { signal: AbortSignal; onRead: (count: number) => void },
) {
  const { rowCount } = latest.current
  for (let from = 0; from < rowCount && !signal.aborted; from += perRead) {
    const to = Math.min(from + perRead, rowCount)
    const longest = now().getTime() + longestReadMs
    latest.current.onRangeChange?.(from, to - 1)
    while (knownRows(latest.current, from, to).length < to - from && now().getTime() < longest && !signal.aborted) await pause(lookMs)
    onRead(to)
  }
  const { view, onRangeChange } = latest.current
  onRangeChange?.(view.first, view.last)
}

/** What is drawn to be printed; `drawn`: how much of it is on the page by now. */
type Printed<T> = { readonly rows: readonly T[]; readonly drawn: number }

/**
 * Prints all rows of a grid, not those on the screen: Ctrl+P has them read and draws them first. A print that the browser began without it
 * has the rows that were read, and says of how many.
 */
export function GridPrint<T>(props: GridPrintProps<T>) {
  const { gridId, rowCount } = props
  const { t } = useTranslation('ui')
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  const running = useRef<AbortController>(undefined)
  const [read, setRead] = useState<number>()
  const [printed, setPrinted] = useState<Printed<T>>()
  const print = async () => {
    if (running.current) return
    const { signal } = (running.current = new AbortController())
    setRead(0)
    await readAll(latest, { signal, onRead: setRead })
    const rows = knownRows(latest.current)
    for (let drawn = perDraw; !signal.aborted; drawn += perDraw) {
      // A page that is busy would draw it later than it prints.
      flushSync(() => setPrinted({ rows, drawn }))
      await nextFrame()
      if (drawn >= rows.length) break
    }
    setRead(undefined)
    await nextFrame()
    if (signal.aborted) setPrinted(undefined)
    else window.print()
    running.current = undefined
  }
  const onBefore = useEffectEvent(() => {
    // The browser waits for no reading here.
    if (!running.current) flushSync(() => setPrinted({ rows: knownRows(props), drawn: rowCount }))
  })
  useEffect(() => {
    const [before, after] = [() => onBefore(), () => setPrinted(undefined)]
    window.addEventListener('beforeprint', before)
    window.addEventListener('afterprint', after)
    return () => {
      running.current?.abort()
      window.removeEventListener('beforeprint', before)
      window.removeEventListener('afterprint', after)
    }
  }, [])
  useShortcuts({ scope: `print-${gridId}`, title: t('print.title') }, [
    { id: 'print', keys: 'mod+p', label: t('print.label'), run: () => void print(), when: () => rowCount > 0 },
  ])
  return (
    <>
      {printed && createPortal(<PrintedTable {...props} printed={printed} />, document.body)}
      {read !== undefined && (
        <div className={classes.progress}>
          <ProgressBar label={t('print.reading')} done={read} total={rowCount} onStop={() => running.current?.abort()} />
        </div>
      )}
    </>
  )
}

function PrintedTable<T>({ label, columns, rowCount, printed: { rows, drawn } }: GridPrintProps<T> & { printed: Printed<T> }) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const [at] = useState(() => formatMoment(now().toISOString(), { language, timezone, now: now() }))
  const parts = Array.from({ length: Math.ceil(Math.min(drawn, rows.length) / perDraw) }, (_, index) => index * perDraw)
  const counts = { done: formatCount(rows.length, language), total: formatCount(rowCount, language) }
  return (
    <div className={classes.printed} data-printed>
      <h1>{label}</h1>
      <p>{t(rows.length < rowCount ? 'print.part' : 'print.whole', { ...counts, at, count: rowCount })}</p>
      <table>
        <thead>
          <tr>
            {columns.map(({ id, header, align }) => (
              <th key={id} data-align={align}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        {parts.map((from) => (
          <PrintedRows key={from} rows={rows} from={from} columns={columns} />
        ))}
      </table>
    </div>
  )
}

type PrintedRowsProps<T> = { rows: readonly T[]; from: number; columns: readonly GridColumn<T>[] }

/** Some rows, which are drawn once. */
function PrintedRows<T>({ rows, from, columns }: PrintedRowsProps<T>) {
  const drawn = useMemo(
    () =>
      rows.slice(from, from + perDraw).map((row, index) => (
        <tr key={from + index}>
          {columns.map(({ id, align, render }) => (
            <td key={id} data-align={align}>
              {render(row)}
            </td>
          ))}
        </tr>
      )),
    [rows, from, columns],
  )
  return <tbody>{drawn}</tbody>
}
