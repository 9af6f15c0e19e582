import { Button, NativeSelect } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from '../../ui/keys/key-hint'
import { useShortcuts } from '../../ui/keys/shortcuts'
import classes from './quick-capture.module.css'
import { cameraFailureKey, photograph, useCamera } from './use-camera'

/** What the viewfinder is given. `count`: how many shots there are; `onRetake` takes the last of them away. */
export type ViewfinderProps = { count: number; onPhoto: (file: File) => void; onRetake: () => void }

/** The camera's live picture, and how to take it. Where there is none it says what to do. */
export function Viewfinder({ count, onPhoto, onRetake }: ViewfinderProps) {
  const { t } = useTranslation('capture')
  const videoRef = useRef<HTMLVideoElement>(null)
  const { state, cameras, cameraId, choose, retry } = useCamera(videoRef)
  const isLive = state.kind === 'live'
  const take = () => void photograph(videoRef.current).then((file) => file && onPhoto(file))
  const retake = () => {
    onRetake()
    take()
  }
  useShortcuts({ scope: 'viewfinder', title: t('camera.title') }, [
    { id: 'take', keys: 'space', label: t('camera.take'), run: take, when: () => isLive },
    { id: 'retake', keys: 'r', form: 'quick-capture', label: t('camera.retake'), run: retake, when: () => isLive && count > 0 },
  ])
  return (
    <>
      <div className={classes.viewfinder}>
        <video ref={videoRef} muted playsInline aria-label={t('camera.live')} hidden={state.kind === 'failed'} />
        {state.kind === 'failed' && (
          <div className={classes.noCamera} role="alert">
            <p>{t(cameraFailureKey(state.reason))}</p>
            <Button variant="default" onClick={retry}>
              {t('receipt.retryShort')}
            </Button>
          </div>
        )}
      </div>
      <div className={classes.buttons}>
        <Button disabled={!isLive} onClick={take} rightSection={<KeyHint keys="space" />}>
          {t('camera.take')}
        </Button>
        <Button variant="default" disabled={!isLive || count === 0} onClick={retake} rightSection={<KeyHint keys="r" />}>
          {t('camera.retake')}
        </Button>
        {cameras.length > 1 && (
          <NativeSelect
            aria-label={t('camera.which')}
            className={classes.cameras}
            value={cameraId ?? ''}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
            data={cameras.map(({ deviceId, label }, index) => ({
              value: deviceId,
              label: label === '' ? t('camera.number', { number: index + 1 }) : label,
            }))}
          />
        )}
      </div>
    </>
  )
}
