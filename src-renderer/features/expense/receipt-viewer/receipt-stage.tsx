import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useEffectEvent, useRef, useState, type PointerEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlaceOnPage } from '#shared/readings/reading'
import classes from './receipt-viewer.module.css'
import { place as placeIn, type Size, type Viewport, type ViewportStep } from './viewport'

/** A place whose value was read; `isOther`: the expense claims otherwise. */
export type ReceiptMark = { readonly place: PlaceOnPage; readonly isOther: boolean }

/** The content of a stage. `natural`: the receipt's own size, undefined until it is known. `draw` gets the size to draw it in. */
export type ReceiptStageProps = {
  natural: Size | undefined
  viewport: Viewport
  onStep: (step: ViewportStep) => void
  draw: (size: Size) => ReactNode
  /** What was read on it, softly marked. */
  marks?: readonly ReceiptMark[] | undefined
  /** What is framed on it. */
  place?: PlaceOnPage | undefined
}

const wheelPixelsPerStep = 120
const marginPx = 8

/** Shows a picture or a page whole, zoomed, turned or moved: by drag, and by the wheel with Ctrl or Command. */
export function ReceiptStage({ natural, viewport, onStep, draw, marks = [], place }: ReceiptStageProps) {
  const { ref: sizeRef, width, height } = useElementSize()
  const stageRef = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(sizeRef, stageRef)
  const [from, setFrom] = useState<{ x: number; y: number } | null>(null)
  const { t } = useTranslation('ui')
  const room = { width: width - 2 * marginPx, height: height - 2 * marginPx }
  const shown = placeIn(natural ?? { width: 3, height: 4 }, room, viewport)
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const box = stageRef.current?.getBoundingClientRect()
    if (!box || (!event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    const pointer = { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
    onStep({ kind: 'zoom', steps: -event.deltaY / wheelPixelsPerStep, pointer })
  })
  useEffect(() => {
    const stage = stageRef.current
    const listen = (event: WheelEvent) => onWheel(event)
    stage?.addEventListener('wheel', listen, { passive: false })
    return () => stage?.removeEventListener('wheel', listen)
  }, [])
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setFrom({ x: event.clientX, y: event.clientY })
  }
  const onPointerMove = (event: PointerEvent) => {
    if (from === null) return
    // Movement beyond the edge is dropped, or the way back would seem stuck.
    const { x, y } = shown.viewport
    onStep({ kind: 'pan', x: x - viewport.x + event.clientX - from.x, y: y - viewport.y + event.clientY - from.y })
    setFrom({ x: event.clientX, y: event.clientY })
  }
  const { x, y, quarterTurns, zoom } = shown.viewport
  const transform = `translate(-50%, -50%) translate(${x}px, ${y}px) rotate(${quarterTurns * 90}deg)`
  return (
    <div
      ref={ref}
      className={classes.stage}
      data-zoomed={zoom > 1 || undefined}
      data-dragging={from !== null || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={() => setFrom(null)}
      onPointerCancel={() => setFrom(null)}
      onDoubleClick={() => onStep(zoom > 1 ? { kind: 'whole' } : { kind: 'zoom', steps: 3 })}
    >
      {natural === undefined && (
        <span className={classes.waiting} role="status">
          {t('loading')}
        </span>
      )}
      {width > 0 && (
        <div className={classes.drawn} style={{ width: shown.size.width, height: shown.size.height, transform }}>
          {draw(shown.size)}
          {natural &&
            marks.map(({ place: at, isOther }) => (
              <div
                key={`${at.x} ${at.y}`}
                className={classes.mark}
                style={frameOf(at)}
                data-mark
                data-other={isOther || undefined}
                aria-hidden
              />
            ))}
          {place && natural && <div className={classes.place} style={frameOf(place)} data-place aria-hidden />}
        </div>
      )}
    </div>
  )
}

const percent = (share: number) => `${share * 100}%`

function frameOf({ x, y, width, height }: PlaceOnPage) {
  return { left: percent(x), top: percent(y), width: percent(width), height: percent(height) }
}
