import { useLayoutEffect, useRef, type RefObject } from 'react'

/** The part of a screen that holds a grid, and the way to put the focus on that grid. */
export type GridFocus = { readonly ref: RefObject<HTMLDivElement | null>; readonly focus: () => void }

/** Puts the focus on a list's grid when its rows arrive and nothing else has the focus; `focus` does it again later. */
export function useGridFocus(hasRows: boolean): GridFocus {
  const ref = useRef<HTMLDivElement>(null)
  const focus = () => ref.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
  useLayoutEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body
    if (hasRows && isFree) ref.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
  }, [hasRows])
  return { ref, focus }
}
