import { ActionIcon, Button, Modal } from '@mantine/core'
import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../../ui/keys/key-hint'
import { useFocusBack } from '../../ui/form/use-focus-back'
import classes from './capture.module.css'
import { cameraFailureKey, photograph, useCamera } from './use-camera'

type Shot = { file: File; url: string }

/**
 * Photographs receipts: a live picture, as many photos as wanted, each can be thrown away and taken again. `onClose`: it was left
 * without using these photos.
 */
export function Camera({ onDone, onClose }: { onDone: (files: File[]) => void; onClose: (unused: File[]) => void }) {
  const { t } = useTranslation('capture')
  const { t: tShell } = useTranslation('shell')
  const videoRef = useRef<HTMLVideoElement>(null)
  const { state } = useCamera(videoRef)
  const [shots, setShots] = useState<readonly Shot[]>([])
  const takeRef = useRef<HTMLButtonElement>(null)
  useFocusBack({ partRef: takeRef, fallback: '#open-camera' })
  const take = async () => {
    const file = await photograph(videoRef.current)
    if (file) setShots((taken) => [...taken, { file, url: URL.createObjectURL(file) }])
  }
  const drop = (shot: Shot) => setShots((taken) => taken.filter((known) => known !== shot))
  return (
    <Modal
      opened
      onClose={() => onClose(shots.map(({ file }) => file))}
      // The dialog goes at once, before Mantine would give the focus back.
      returnFocus={false}
      title={t('camera.title')}
      size={760}
      transitionProps={{ duration: 100 }}
      attributes={{ header: { role: 'presentation' } }}
      closeButtonProps={{ 'aria-label': tShell('close') }}
    >
      {state.kind === 'failed' ? (
        <p className={classes.failure} role="alert">
          {t(cameraFailureKey(state.reason))}
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
          ref={takeRef}
          data-autofocus
          // It has the focus from the start, which a disabled button cannot: Space takes the photo as soon as there is a picture.
          aria-disabled={state.kind !== 'live'}
          data-disabled={state.kind !== 'live' || undefined}
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
