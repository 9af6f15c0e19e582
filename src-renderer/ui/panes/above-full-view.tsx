import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useFullView } from '../../state/full-view'

/** Draws a form that an act asks for: in its place, or above the receipt that fills the window. */
export function AboveFullView({ children }: { children: ReactNode }) {
  const place = useFullView((state) => state.place)
  return place ? createPortal(children, place) : children
}
