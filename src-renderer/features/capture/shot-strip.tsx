import { ActionIcon } from '@mantine/core'
import { Check, LoaderCircle, TriangleAlert, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useOutbox } from '../../state/outbox'
import { BlobImage } from './blob-image'
import classes from './quick-capture.module.css'
import { stateKey } from './inbox-columns'
import { FileIcon } from './receipt-card'
import type { Shot } from './use-shots'

const shownAsPictures = /^image\/(jpeg|png|gif|webp|avif)$/

/** The files of a quick capture, each with whether it is saved. */
export function ShotStrip({ shots, onRemove }: { shots: readonly Shot[]; onRemove: (shot: Shot) => void }) {
  const { t } = useTranslation('capture')
  if (shots.length === 0) return <p className={classes.none}>{t('quick.none')}</p>
  return (
    <ul className={classes.shots} aria-label={t('quick.shots')} tabIndex={0}>
      {shots.map((shot) => (
        <li key={shot.key} className={classes.shot}>
          {shownAsPictures.test(shot.file.type) ? (
            <BlobImage blob={shot.file} alt={shot.file.name} />
          ) : (
            <span className={classes.named} title={shot.file.name}>
              <FileIcon contentType={shot.file.type} />
              <span className={classes.name}>{shot.file.name}</span>
            </span>
          )}
          <ActionIcon
            size={20}
            variant="filled"
            color="dark"
            aria-label={t('receipt.remove', { name: shot.file.name })}
            onClick={() => onRemove(shot)}
          >
            <X size={12} />
          </ActionIcon>
          <ShotState shot={shot} />
        </li>
      ))}
    </ul>
  )
}

function ShotState({ shot: { key, capture, queued } }: { shot: Shot }) {
  const { t } = useTranslation('capture')
  const state = useOutbox(({ states }) => states[key])
  const kind = capture ? 'saved' : queued ? stateKey(queued, state) : 'savingOne'
  const Icon = { saved: Check, onDevice: Check, failed: TriangleAlert, refused: TriangleAlert, savingOne: LoaderCircle }[kind]
  return (
    <span className={classes.shotState} data-kind={kind}>
      <Icon size={12} aria-hidden /> {t(`inbox.${kind}`)}
    </span>
  )
}
