import { useLayoutEffect } from 'react'
import { useListPlaces } from '../../state/list-places'

/**
 * The row that keys act on, remembered until the page is left. `list`: its name, with what makes it another list. What the address opens, at
 * `openedIndex` (-1: nothing that is listed), becomes that row.
 */
export function useRowFocus(list: string, rowCount: number, openedIndex = -1): [number, (index: number) => void] {
  const index = useListPlaces((places) => places[list] ?? 0)
  const setIndex = (to: number) => useListPlaces.setState({ [list]: to })
  useLayoutEffect(() => {
    if (openedIndex >= 0) useListPlaces.setState({ [list]: openedIndex })
  }, [list, openedIndex])
  return [Math.max(0, Math.min(index, rowCount - 1)), setIndex]
}
