import { Button } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../../ui/keys/key-hint'
import type { MatchingRow, Section } from './matching'
import { MatchingRowView, type RowActions } from './matching-row'
import classes from './statements.module.css'

type MatchingSectionProps = {
  readonly section: Section
  readonly rows: readonly MatchingRow[]
  /** How many follow once these are worked off. */
  readonly later: number
  readonly focusKey: string | undefined
  readonly isDisabled: boolean
  /** What scrolls: all sections together. */
  readonly scrollRef: RefObject<HTMLElement | null>
  readonly onFocus: (key: string) => void
  readonly onAct: (row: MatchingRow) => void
  readonly onDismiss: (row: MatchingRow) => void
  readonly onSplit: (row: MatchingRow) => void
  readonly onAcceptAll: () => void
  /** Undefined for those who may not ask holders. */
  readonly onAsk: (() => void) | undefined
}

/** One of the four lists; only the rows in view are drawn. */
export function MatchingSection(props: MatchingSectionProps) {
  const { section, rows, later, isDisabled, onAcceptAll, onAsk } = props
  const { t } = useTranslation('statements')
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={`statements-${section}`}>
      <div className={classes.head}>
        <h2 id={`statements-${section}`} className={classes.title}>
          {t(section, { count: rows.length + later })}
        </h2>
        {section === 'sure' && (
          <Button disabled={isDisabled} rightSection={<KeyHint keys="shift+a" />} onClick={onAcceptAll}>
            {t('acceptAll', { count: rows.length })}
          </Button>
        )}
        {section === 'linesLeft' && onAsk && (
          <Button variant="default" disabled={isDisabled} rightSection={<KeyHint keys="m" />} onClick={onAsk}>
            {t('ask')}
          </Button>
        )}
      </div>
      <Rows {...props} />
      {later > 0 && <p className={classes.later}>{t('later', { shown: rows.length, count: rows.length + later })}</p>}
    </section>
  )
}

/** About how high a row is, until it is drawn. */
const rowPx = 24

/** How much of the heading stays in view above the first row. */
const headPx = 40

function Rows(props: MatchingSectionProps) {
  const { rows, focusKey, isDisabled, scrollRef } = props
  const actions = useRowActions(props)
  const listRef = useRef<HTMLUListElement>(null)
  const [above, setAbove] = useState(0)
  const focusIndex = rows.findIndex(({ key }) => key === focusKey)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    scrollMargin: above,
    scrollPaddingStart: headPx,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...(focusIndex === -1 ? [] : [focusIndex])])].sort((a, b) => a - b),
  })
  // What is above a list changes with the other lists, and with it the height of all.
  useLayoutEffect(() => {
    const [list, scroll] = [listRef.current, scrollRef.current]
    const all = scroll?.firstElementChild
    if (!list || !scroll || !all) return undefined
    const measure = () => setAbove(Math.round(list.getBoundingClientRect().top - scroll.getBoundingClientRect().top + scroll.scrollTop))
    const observer = new ResizeObserver(measure)
    observer.observe(all)
    measure()
    return () => observer.disconnect()
  }, [scrollRef])
  useEffect(() => {
    if (focusIndex !== -1) virtualizer.scrollToIndex(focusIndex, { align: 'auto' })
  }, [virtualizer, focusIndex])
  return (
    <ul ref={listRef} className={classes.rows} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const row = rows[index]
        return (
          row && (
            <MatchingRowView
              key={key}
              ref={virtualizer.measureElement}
              index={index}
              count={rows.length}
              topPx={start - above}
              row={row}
              isFocused={index === focusIndex}
              isDisabled={isDisabled}
              actions={actions}
            />
          )
        )
      })}
    </ul>
  )
}

/** What can be done with rows, the same object at each render: with each key only the rows that it changes are drawn. */
function useRowActions(props: MatchingSectionProps): RowActions {
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  return useMemo(
    () => ({
      act: (row) => latest.current.onAct(row),
      dismiss: (row) => latest.current.onDismiss(row),
      split: (row) => latest.current.onSplit(row),
      focus: ({ key }) => latest.current.onFocus(key),
    }),
    [],
  )
}
