import { useMediaQuery } from '@mantine/hooks'
import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import classes from './split-pane.module.css'

/** List and detail side by side. `paneId`: under which the width is remembered. Without `detail` the list has it all. */
export type SplitPaneProps = { paneId: string; list: ReactNode; detail?: ReactNode; detailLabel: string; defaultWidthPx?: number }

const bounds = { minPx: 360, maxPx: 900, stepPx: 16 }

function clampWidth(widthPx: number): number {
  return Math.max(bounds.minPx, Math.min(bounds.maxPx, widthPx))
}

/** A list and, next to it, the detail: resizable by pointer and arrow keys, remembered. Under 1,200 px the detail covers the list. */
export function SplitPane({ paneId, list, detail, detailLabel, defaultWidthPx = 440 }: SplitPaneProps) {
  const { t } = useTranslation('ui')
  const remembered = usePreferences((state) => state.panes[paneId])
  const setPane = usePreferences((state) => state.setPane)
  const [dragged, setDragged] = useState<{ startX: number; startWidth: number; width: number } | null>(null)
  const isNarrow = useMediaQuery('(max-width: 1199px)', undefined, { getInitialValueInEffect: false })
  const hasDetail = detail !== undefined && detail !== null
  const width = clampWidth(dragged?.width ?? remembered ?? defaultWidthPx)
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragged({ startX: event.clientX, startWidth: width, width })
  }
  const onPointerMove = (event: PointerEvent) => {
    if (dragged) setDragged({ ...dragged, width: clampWidth(dragged.startWidth + dragged.startX - event.clientX) })
  }
  const onPointerUp = () => {
    if (dragged) setPane(paneId, dragged.width)
    setDragged(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? bounds.stepPx : event.key === 'ArrowRight' ? -bounds.stepPx : 0
    if (step === 0) return
    event.preventDefault()
    setPane(paneId, clampWidth(width + step))
  }
  return (
    <div className={classes.root}>
      <div className={classes.list} inert={hasDetail && isNarrow}>
        {list}
      </div>
      {hasDetail && !isNarrow && (
        <div
          className={classes.handle}
          role="separator"
          tabIndex={0}
          aria-orientation="vertical"
          aria-label={t('pane.resize')}
          aria-valuenow={Math.round(width)}
          aria-valuemin={bounds.minPx}
          aria-valuemax={bounds.maxPx}
          onPointerDown={onPointerDown}
          onPointerMove={onPointerMove}
          onPointerUp={onPointerUp}
          onPointerCancel={() => setDragged(null)}
          onKeyDown={onKeyDown}
        />
      )}
      {hasDetail && (
        <section
          className={`${classes.detail} ${isNarrow ? classes.covering : ''}`}
          style={isNarrow ? undefined : { width }}
          aria-label={detailLabel}
          data-pane
        >
          {detail}
        </section>
      )}
    </div>
  )
}
