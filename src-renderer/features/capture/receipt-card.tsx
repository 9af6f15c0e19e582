import { ActionIcon, Button } from '@mantine/core'
import { FileCode2, FileText, Image, RotateCcw, Trash2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toSmallerPicture } from '../../api/pictures'
import type { DraftFile } from '../../state/draft'
import { retryFile, stopUpload } from '../../state/draft-delivery'
import { readReceipt, useDrafts } from '../../state/drafts'
import { usePreferences } from '../../state/preferences'
import { formatBytes } from '../../ui/values/format-bytes'
import { notifyFailure } from '../../state/notices'
import { BlobImage } from './blob-image'
import classes from './capture.module.css'
import { useRefusalText } from './refusal-text'
import { usePreview } from './use-preview'

/** A receipt of a draft. `onRemove` is left out where it can no longer be removed. `onReplace`: puts another file in its place. */
export type ReceiptCardProps = {
  file: DraftFile
  isShown: boolean
  onShow: () => void
  onRemove?: () => void
  onReplace: (file: File) => void
}

/** One receipt: name, size, picture, how far it is, and what can be done. */
export function ReceiptCard({ file, isShown, onShow, onRemove, onReplace }: ReceiptCardProps) {
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
        <span className={`${classes.cardState} tabular`} role="status" data-kind={file.refusal ? 'failed' : activity?.kind}>
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
      {file.refusal?.code === 'too_many_pixels' && <SendSmaller file={file} onReplace={onReplace} />}
      {activity?.kind === 'uploading' && <span className={classes.share} style={{ transform: `scaleX(${activity.share})` }} aria-hidden />}
    </li>
  )
}

/** Offers a copy of a picture that is too large, in the size that photos are kept in. */
function SendSmaller({ file, onReplace }: Pick<ReceiptCardProps, 'file' | 'onReplace'>) {
  const { t } = useTranslation('capture')
  const shrink = async () => {
    const blob = await readReceipt(file.id)
    if (blob) onReplace(await toSmallerPicture(new File([blob], file.name, { type: file.content_type })))
  }
  const fail = () => notifyFailure({ title: t('refusal.notShrunk', { name: file.name }), message: t('refusal.notShrunkTodo') })
  return (
    <Button className={classes.cardOffer} variant="default" onClick={() => void shrink().catch(fail)}>
      {t('refusal.shrink')}
    </Button>
  )
}

/** How far a receipt is, in words. */
function useFileState(file: DraftFile): string {
  const { t } = useTranslation('capture')
  const activity = useDrafts((state) => state.activities[file.id])
  const isAway = useDrafts((state) => state.isServerAway)
  const wordRefusal = useRefusalText()
  if (file.is_attached) return t('receipt.attached')
  if (file.refusal) return t('receipt.refused', { reason: wordRefusal(file.refusal) })
  if (activity === undefined)
    return file.upload !== null || file.capture_id !== null ? t('receipt.uploaded') : isAway ? t('receipt.waiting') : t('receipt.stored')
  if (activity.kind === 'uploading') return t('receipt.uploading', { percent: Math.round(activity.share * 100) })
  if (activity.kind === 'failed')
    return t('receipt.failed', { reason: activity.reason === 'missing' ? t('receipt.missing') : activity.reason })
  return t(`receipt.${activity.kind === 'not_stored' ? 'notStored' : activity.kind}`)
}

/** The placeholder of a receipt without a picture. */
export function FileIcon({ contentType, size = 24 }: { contentType: string; size?: number }) {
  const Icon = contentType.endsWith('xml') ? FileCode2 : contentType === 'application/pdf' ? FileText : Image
  return <Icon size={size} strokeWidth={1.5} aria-hidden />
}
