import { ActionIcon } from '@mantine/core'
import { FileCode2, FileText, Image, RotateCcw, Trash2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { DraftFile } from '../../state/draft'
import { retryFile, stopUpload } from '../../state/draft-delivery'
import { useDrafts } from '../../state/drafts'
import { usePreferences } from '../../state/preferences'
import { formatBytes } from '../../ui/format-bytes'
import { BlobImage } from './blob-image'
import classes from './capture.module.css'
import { usePreview } from './use-preview'

/** A receipt of a draft. `onRemove` is left out where it can no longer be removed. */
export type ReceiptCardProps = { file: DraftFile; isShown: boolean; onShow: () => void; onRemove?: () => void }

/** One receipt: name, size, picture, how far it is, and what can be done. */
export function ReceiptCard({ file, isShown, onShow, onRemove }: ReceiptCardProps) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const activity = useDrafts((state) => state.activities[file.id])
  const preview = usePreview(file)
  const state = useFileState(file)
  return (
    <li className={classes.card} data-shown={isShown || undefined}>
      <button
        type="button"
        className={classes.thumb}
        onClick={onShow}
        aria-pressed={isShown}
        aria-label={t('receipt.show', { name: file.name })}
      >
        {preview ? <BlobImage blob={preview} alt="" /> : <FileIcon contentType={file.content_type} />}
      </button>
      <div className={classes.cardText}>
        <span className={classes.cardName} title={file.name}>
          {file.name}
        </span>
        <span className={`${classes.cardState} tabular`} role="status" data-kind={activity?.kind}>
          {formatBytes(file.bytes, language)} · {state}
        </span>
      </div>
      <div className={classes.cardActions}>
        {activity?.kind === 'uploading' && (
          <ActionIcon
            aria-label={t('receipt.stop', { name: file.name })}
            title={t('receipt.stopShort')}
            onClick={() => stopUpload(file.id)}
          >
            <X size={14} />
          </ActionIcon>
        )}
        {(activity?.kind === 'failed' || activity?.kind === 'stopped') && (
          <ActionIcon
            aria-label={t('receipt.retry', { name: file.name })}
            title={t('receipt.retryShort')}
            onClick={() => retryFile(file.id)}
          >
            <RotateCcw size={14} />
          </ActionIcon>
        )}
        {onRemove && (
          <ActionIcon aria-label={t('receipt.remove', { name: file.name })} title={t('receipt.removeShort')} onClick={onRemove}>
            <Trash2 size={14} />
          </ActionIcon>
        )}
      </div>
      {activity?.kind === 'uploading' && (
        <span className={classes.share} style={{ transform: `scaleX(${activity.share})` }} aria-hidden />
      )}
    </li>
  )
}

/** How far a receipt is, in words. */
function useFileState(file: DraftFile): string {
  const { t } = useTranslation('capture')
  const activity = useDrafts((state) => state.activities[file.id])
  const isAway = useDrafts((state) => state.isServerAway)
  if (file.is_attached) return t('receipt.attached')
  if (activity === undefined)
    return file.upload !== null || file.capture_id !== null
      ? t('receipt.uploaded')
      : isAway
        ? t('receipt.waiting')
        : t('receipt.stored')
  if (activity.kind === 'uploading') return t('receipt.uploading', { percent: Math.round(activity.share * 100) })
  if (activity.kind === 'failed')
    return t('receipt.failed', {
      reason: activity.reason === 'missing' || activity.reason === 'refused' ? t(`receipt.${activity.reason}`) : activity.reason,
    })
  return t(`receipt.${activity.kind === 'not_stored' ? 'notStored' : activity.kind}`)
}

/** What stands for a receipt without a picture. */
export function FileIcon({ contentType, size = 24 }: { contentType: string; size?: number }) {
  const Icon = contentType.endsWith('xml') ? FileCode2 : contentType === 'application/pdf' ? FileText : Image
  return <Icon size={size} strokeWidth={1.5} aria-hidden />
}
