import { focusGround } from '../keys/focus-ground'
import { useEffect, useState, type RefObject } from 'react'

/** `partRef`: the part that goes away. `fallback`: a selector of what has the focus where the place before is gone too. */
type FocusBack = { readonly partRef?: RefObject<HTMLElement | null>; readonly fallback?: string }

/** Gives the focus back to where it was before, when a form or a sheet goes away. Focus that has gone elsewhere meanwhile stays there. */
export function useFocusBack({ partRef, fallback }: FocusBack = {}): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      queueMicrotask(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if ((partRef && partRef.current !== null) || !isFree) return
        const isBack = before instanceof HTMLElement && before.isConnected && before !== document.body
        const target = isBack ? before : fallback === undefined ? null : document.querySelector<HTMLElement>(fallback)
        if (target) target.focus({ preventScroll: true })
        else focusGround()
      })
    },
    [before, partRef, fallback],
  )
}
