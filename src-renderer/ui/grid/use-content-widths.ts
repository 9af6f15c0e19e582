import { useCallback, useMemo, useRef, useState } from 'react'
import { usePreferences } from '../../state/preferences'
import type { PlacedColumn } from './grid-layout'

/** The inline padding of a cell, both sides, in pixels. */
const paddingPx = 16

const none: ReadonlyMap<string, number> = new Map()

/** The widths that columns need for their content, in pixels by column; `measure` reads the cells of a row or of the header. */
export type ContentWidths = { readonly widths: ReadonlyMap<string, number>; readonly measure: (row: HTMLElement) => void }

/**
 * Measures what columns need for their content: everything in the locale and the font it is drawn with. Columns only grow while
 * rows scroll by, so that nothing moves back and forth; other columns or another way to write amounts and days start over.
 */
export function useContentWidths(columns: readonly PlacedColumn[]): ContentWidths {
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const timezone = usePreferences((state) => state.timezone)
  const look = useMemo(() => ({ columns, language, display, timezone }), [columns, language, display, timezone])
  const [held, setHeld] = useState({ look, widths: none })
  const known = useRef(held)
  const measure = useCallback(
    (row: HTMLElement) => {
      const widths = known.current.look === look ? known.current.widths : none
      const wider = [...row.querySelectorAll<HTMLElement>('[data-column]')].flatMap((cell) => {
        const id = cell.dataset.column ?? ''
        const px = Math.ceil(contentWidth(cell)) + paddingPx
        return px > (widths.get(id) ?? 0) ? [[id, px] as const] : []
      })
      if (wider.length === 0) return
      known.current = { look, widths: new Map([...widths, ...wider]) }
      setHeld(known.current)
    },
    [look],
  )
  return { widths: held.look === look ? held.widths : none, measure }
}

/** The content of a cell, in full even if it is cut. `data-room`: pixels to keep free for additions. */
function contentWidth(cell: HTMLElement): number {
  const whole = cell.querySelector(':scope > [data-whole]')
  if (whole) return whole.getBoundingClientRect().width
  const range = document.createRange()
  range.selectNodeContents(cell)
  return range.getBoundingClientRect().width + Number(cell.dataset.room ?? 0)
}
