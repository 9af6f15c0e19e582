import { Button, Modal } from '@mantine/core'
import { useCallback, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { latinKey } from '../../ui/keys/key-combo'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './quick-capture.module.css'
import { middleRegion, moveRegion, type Region, regionBetween, resizeRegion, toPixels, wholeRegion } from './screen-region'
import { drawFrame, stamp } from './use-camera'

/** Whether this browser gives pictures of the screen: telephones do not, nor do pages on plain HTTP. */
export const canTakeScreen = 'mediaDevices' in navigator && 'getDisplayMedia' in navigator.mediaDevices

/** A picture of the current screen. Throws DOMException: NotAllowedError if the person or the system denies it. */
export async function takeScreen(): Promise<HTMLCanvasElement> {
  const stream = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: false })
  try {
    const video = document.createElement('video')
    video.muted = true
    video.srcObject = stream
    await video.play()
    return drawFrame(video)
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

const step = 0.02
const steps: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
}

/** Lets a person choose a part of a picture of the screen: by dragging, or by arrows, with Shift for its size. Enter keeps it. */
export function ScreenPicture({
  picture,
  onKeep,
  onClose,
}: {
  picture: HTMLCanvasElement
  onKeep: (file: File) => void
  onClose: () => void
}) {
  const { t } = useTranslation('capture')
  const { t: tShell } = useTranslation('shell')
  const [region, setRegion] = useState<Region>(middleRegion)
  const start = useRef<{ x: number; y: number } | null>(null)
  const hold = useCallback((element: HTMLDivElement | null) => element?.prepend(picture), [picture])
  const keep = () => void crop(picture, region).then((file) => file && onKeep(file))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = steps[event.key]
    if (by) setRegion((known) => (event.shiftKey ? resizeRegion(known, by) : moveRegion(known, by)))
    else if (event.key === 'Enter') keep()
    else if (latinKey(event).toLowerCase() === 'a') setRegion(wholeRegion)
    else return
    event.preventDefault()
  }
  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / height }
  }
  const { width, height } = toPixels(region, picture)
  return (
    <Modal
      opened
      fullScreen
      onClose={onClose}
      title={t('screen.title')}
      transitionProps={{ duration: 0 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': tShell('close') }}
    >
      <p className={classes.hint}>{t('screen.hint')}</p>
      <div
        ref={hold}
        className={classes.picture}
        style={{ aspectRatio: `${picture.width} / ${picture.height}`, maxWidth: `calc(72vh * ${picture.width / picture.height})` }}
        role="application"
        tabIndex={0}
        data-autofocus
        aria-label={t('screen.region', { width, height })}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          start.current = pointOf(event)
        }}
        onPointerMove={(event) => {
          const dragged = start.current && regionBetween(start.current, pointOf(event))
          if (dragged) setRegion(dragged)
        }}
        onPointerUp={() => (start.current = null)}
        onPointerCancel={() => (start.current = null)}
      >
        <div
          className={classes.region}
          style={{
            left: `${region.left * 100}%`,
            top: `${region.top * 100}%`,
            width: `${region.width * 100}%`,
            height: `${region.height * 100}%`,
          }}
        />
      </div>
      <div className={classes.buttons}>
        <span className={`${classes.hint} tabular`} role="status">
          {t('screen.size', { width, height })}
        </span>
        <span className={classes.spring} />
        <Button variant="default" onClick={() => setRegion(wholeRegion)}>
          {t('screen.whole')}
        </Button>
        <Button onClick={keep} rightSection={<KeyHint keys="enter" />}>
          {t('screen.keep')}
        </Button>
      </div>
    </Modal>
  )
}

async function crop(picture: HTMLCanvasElement, region: Region): Promise<File | undefined> {
  const { x, y, width, height } = toPixels(region, picture)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(picture, x, y, width, height, 0, 0, width, height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return blob ? new File([blob], `screen-${stamp()}.png`, { type: 'image/png' }) : undefined
}
