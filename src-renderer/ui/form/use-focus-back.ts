import { useEffect, useState, type RefObject } from 'react'

/**
 * Gives the focus back when a form goes away: to where it was before, or, when that is gone too, to the element whose id is
 * given. Focus that has gone elsewhere meanwhile stays there.
 */
export function useFocusBack(formRef: RefObject<HTMLElement | null>, fallbackId: string): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      queueMicrotask(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (formRef.current !== null || !isFree) return
        const isBack = before instanceof HTMLElement && before.isConnected && before !== document.body
        const target = isBack ? before : document.getElementById(fallbackId)
        target?.focus({ preventScroll: true })
      })
    },
    [before, formRef, fallbackId],
  )
}
