import { type KeyboardEvent, type MouseEvent, type RefObject, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { latinKey } from '../keys/key-combo'
import { useShortcuts } from '../keys/shortcuts'
import { nextRow } from './grid-layout'
import type { VirtualGridProps } from './grid-types'

type GridInput<T> = Pick<VirtualGridProps<T>, 'label' | 'rowCount' | 'focusIndex' | 'onFocusIndex' | 'onOpen' | 'onStep' | 'selection'> & {
  readonly gridRef: RefObject<HTMLElement | null>
  readonly gridId: string
  /** How many rows a page has. */
  readonly pageRows: () => number
}

/**
 * Whether keys that are pressed now are for this list: for the one that has the focus, else for the one next to the focus in its pane, and
 * else for the first on the page.
 */
function isForGrid(grid: HTMLElement | null): boolean {
  const active = document.activeElement
  const focused = active?.closest('[role=grid]')
  if (focused) return focused === grid
  const pane = active?.closest('[data-pane]')
  const place = pane?.querySelector('[role=grid]') ? pane : document
  return place.querySelector('[role=grid]') === grid
}

/**
 * What keys and clicks do in every list. With the focus in it: arrows, Home, End and Page move, with Shift they select, Ctrl+A selects all,
 * Enter opens. Wherever the focus is on the page: `j` and `k` move, with Shift they select, `x` selects, Ctrl+Shift+A selects all that
 * match, Enter opens.
 */
export function useGridInput<T>(input: GridInput<T>) {
  const { rowCount, focusIndex, onFocusIndex, onOpen, selection, pageRows } = input
  const anchor = useRef(focusIndex)
  const move = (index: number, isExtending: boolean) => {
    if (isExtending) selection?.onSelect({ kind: 'range', from: anchor.current, to: index })
    else anchor.current = index
    onFocusIndex(index)
  }
  const toggle = (index: number) => {
    anchor.current = index
    selection?.onSelect({ kind: 'toggle', index })
  }
  useListKeys(input, { move, toggle })
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.altKey) return
    const isMod = event.ctrlKey || event.metaKey
    const next = isMod ? undefined : nextRow(event.key, focusIndex, { rowCount, pageRows: Math.max(1, pageRows()) })
    if (next !== undefined) move(next, event.shiftKey)
    else if (isMod && !event.shiftKey && latinKey(event).toLowerCase() === 'a' && selection) selection.onSelect({ kind: 'all' })
    else if (event.key === 'Enter' && !isMod && onOpen && focusIndex >= 0) onOpen(focusIndex)
    else return
    event.preventDefault()
  }
  const onRowClick = (event: MouseEvent, click: { index: number; isOnCheck: boolean }) => {
    const { index, isOnCheck } = click
    if (event.shiftKey && selection) return move(index, true)
    if (selection && (isOnCheck || event.ctrlKey || event.metaKey)) selection.onSelect({ kind: 'toggle', index })
    else if (!isOnCheck) onOpen?.(index)
    move(index, false)
  }
  return { onKeyDown, onRowClick }
}

type Moves = { readonly move: (index: number, isExtending: boolean) => void; readonly toggle: (index: number) => void }

function useListKeys<T>(input: GridInput<T>, { move, toggle }: Moves): void {
  const { t } = useTranslation('ui')
  const { gridId, gridRef, label, rowCount, focusIndex, onOpen, onStep, selection } = input
  const step = (by: 1 | -1, isExtending: boolean) => move(Math.max(0, Math.min(rowCount - 1, focusIndex + by)), isExtending)
  const walk = (by: 1 | -1) => (onStep ? onStep(by) : step(by, false))
  const when = () => rowCount > 0 && isForGrid(gridRef.current)
  const inFull = onStep !== undefined
  useShortcuts({ scope: `grid ${gridId}`, title: label }, [
    { id: 'down', keys: 'j', label: t('grid.next'), run: () => walk(1), when, inFull },
    { id: 'up', keys: 'k', label: t('grid.previous'), run: () => walk(-1), when, inFull },
    ...(onOpen ? [{ id: 'open', keys: 'enter', label: t('grid.open'), run: () => onOpen(focusIndex), when }] : []),
    ...(selection
      ? [
          { id: 'extend-down', keys: 'shift+j', label: t('grid.extendDown'), run: () => step(1, true), when },
          { id: 'extend-up', keys: 'shift+k', label: t('grid.extendUp'), run: () => step(-1, true), when },
          { id: 'select', keys: 'x', label: t('grid.select'), run: () => toggle(focusIndex), when },
          { id: 'select-all', keys: 'mod+shift+a', label: t('grid.selectAll'), run: () => selection.onSelect({ kind: 'matching' }), when },
        ]
      : []),
  ])
}
