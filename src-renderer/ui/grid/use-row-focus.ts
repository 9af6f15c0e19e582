import { useState } from 'react'

/** The row that keys act on. What the address opens, at `openedIndex` (-1: nothing that is listed), becomes that row. */
export function useRowFocus(rowCount: number, openedIndex: number): [number, (index: number) => void] {
  const [index, setIndex] = useState(0)
  const [seen, setSeen] = useState(-1)
  if (openedIndex >= 0 && openedIndex !== seen) {
    setSeen(openedIndex)
    setIndex(openedIndex)
  }
  return [Math.max(0, Math.min(index, rowCount - 1)), setIndex]
}
