import { ActionIcon, Button, Modal } from '@mantine/core'
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { now } from '../../ui/clock'
import { KeyHint } from '../../ui/key-hint'
import classes from './capture.module.css'

const wanted: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: 'environment', width: { ideal: 2560 }, height: { ideal: 1920 } },
}
const jpegQuality = 0.92

type CameraState = { kind: 'starting' } | { kind: 'live' } | { kind: 'failed'; reason: 'denied' | 'none' | 'busy' }
type Shot = { file: File; url: string }

/** Photographs receipts: a live picture, as many photos as wanted, each can be thrown away and taken again. */
export function Camera({ onDone, onClose }: { onDone: (files: File[]) => void; onClose: () => void }) {
  const { t } = useTranslation('capture')
  const { t: tShell } = useTranslation('shell')
  const videoRef = useRef<HTMLVideoElement>(null)
  const state = useCamera(videoRef)
  const [shots, setShots] = useState<readonly Shot[]>([])
  const take = async () => {
    const file = await photograph(videoRef.current, shots.length + 1)
    if (file) setShots((taken) => [...taken, { file, url: URL.createObjectURL(file) }])
  }
  const drop = (shot: Shot) => setShots((taken) => taken.filter((known) => known !== shot))
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('camera.title')}
      size={760}
      transitionProps={{ duration: 100 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': tShell('close') }}
    >
      {state.kind === 'failed' ? (
        <p className={classes.failure} role="alert">
          {t(`camera.${state.reason}`)}
        </p>
      ) : (
        <div className={classes.viewfinder}>
          <video ref={videoRef} muted playsInline aria-label={t('camera.live')} />
        </div>
      )}
      <ul className={classes.shots} aria-label={t('camera.shots')}>
        {shots.map((shot, index) => (
          <li key={shot.url} className={classes.shot}>
            <img src={shot.url} alt={t('camera.shot', { number: index + 1 })} />
            <ActionIcon
              size={20}
              variant="filled"
              color="dark"
              aria-label={t('camera.drop', { number: index + 1 })}
              onClick={() => drop(shot)}
            >
              <X size={12} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div className={classes.actions}>
        <Button
          data-autofocus
          disabled={state.kind !== 'live'}
          onClick={() => void take()}
          rightSection={<KeyHint keys="space" />}
        >
          {t('camera.take')}
        </Button>
        <Button
          variant="default"
          disabled={shots.length === 0}
          onClick={() => {
            const last = shots.at(-1)
            if (last) {
              drop(last)
              void take()
            }
          }}
        >
          {t('camera.retake')}
        </Button>
        <span className={classes.spring} />
        <Button
          disabled={shots.length === 0}
          variant={shots.length === 0 ? 'default' : 'filled'}
          onClick={() => onDone(shots.map(({ file }) => file))}
        >
          {t('camera.use', { count: shots.length })}
        </Button>
      </div>
    </Modal>
  )
}

function useCamera(videoRef: { current: HTMLVideoElement | null }): CameraState {
  const [state, setState] = useState<CameraState>({ kind: 'starting' })
  useEffect(() => {
    let stream: MediaStream | undefined
    let isGone = false
    const begin = async () => {
      // Only pages of https and of this machine have cameras.
      if (!('mediaDevices' in navigator)) return setState({ kind: 'failed', reason: 'none' })
      stream = await navigator.mediaDevices.getUserMedia(wanted)
      const video = videoRef.current
      if (isGone || !video) return stream.getTracks().forEach((track) => track.stop())
      video.srcObject = stream
      await video.play()
      setState({ kind: 'live' })
    }
    begin().catch((error: unknown) => {
      if (!isGone) setState({ kind: 'failed', reason: reasonOf(error) })
    })
    return () => {
      isGone = true
      stream?.getTracks().forEach((track) => track.stop())
    }
  }, [videoRef])
  return state
}

function reasonOf(error: unknown): 'denied' | 'none' | 'busy' {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy'
}

function photograph(video: HTMLVideoElement | null, number: number): Promise<File | undefined> {
  if (!video || video.videoWidth === 0) return Promise.resolve(undefined)
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const stamp = now().toISOString().slice(0, 19).replace(/[T:]/g, '-')
  return new Promise((resolve) => {
    canvas.toBlob(
      (blob) => resolve(blob ? new File([blob], `photo-${stamp}-${number}.jpg`, { type: 'image/jpeg' }) : undefined),
      'image/jpeg',
      jpegQuality,
    )
  })
}
