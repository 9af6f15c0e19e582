import { ActionIcon, Button } from '@mantine/core'
import { FileCode2, FileText, Image, RotateCcw, Trash2, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { toSmallerPicture } from '../../api/pictures'
import { useRefusalText } from '../../records/expense/refusal-text'
import type { DraftFile } from '../../state/draft'
import { stopUpload } from '../../state/draft-delivery'
import { readReceipt } from '../../state/drafts'
import { usePreferences } from '../../state/preferences'
import { formatBytes } from '../../ui/values/format-bytes'
import { notifyFailure } from '../../state/notices'
import { retryFiles, useOutbox } from '../../state/outbox'
import { useSending } from '../../state/sending'
import { BlobImage } from './blob-image'
import classes from './capture.module.css'
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
  const state = useOutbox(({ states }) => states[file.id])
  const isFailed = file.refusal !== null || state?.kind === 'unusable'
  const preview = usePreview(file)
  const text = useFileText(file)
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
        <span className={`${classes.cardState} tabular`} role="status" data-kind={isFailed ? 'failed' : state?.kind}>
          {formatBytes(file.bytes, language)} · {text}
        </span>
      </div>
      <div className={classes.cardActions}>
        {state?.kind === 'uploading' && (
          <ActionIcon
            aria-label={t('receipt.stop', { name: file.name })}
            title={t('receipt.stopShort')}
            onClick={() => stopUpload(file.id)}
          >
            <X size={14} />
          </ActionIcon>
        )}
        {(state?.kind === 'unusable' || state?.kind === 'stopped') && (
          <ActionIcon
            aria-label={t('receipt.retry', { name: file.name })}
            title={t('receipt.retryShort')}
            onClick={() => retryFiles([file.id])}
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
      {state?.kind === 'uploading' && <span className={classes.share} style={{ transform: `scaleX(${state.share})` }} aria-hidden />}
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
function useFileText(file: DraftFile): string {
  const { t } = useTranslation('capture')
  const state = useOutbox(({ states }) => states[file.id])
  const isAway = useSending(({ isServerAway }) => isServerAway)
  const wordRefusal = useRefusalText()
  if (file.is_attached) return t('receipt.attached')
  if (file.refusal) return t('receipt.refused', { reason: wordRefusal(file.refusal) })
  if (state === undefined)
    return file.upload !== null || file.capture_id !== null ? t('receipt.uploaded') : isAway ? t('receipt.waiting') : t('receipt.stored')
  if (state.kind === 'uploading') return t('receipt.uploading', { percent: Math.round(state.share * 100) })
  if ('reason' in state) return t('receipt.failed', { reason: state.reason || t('receipt.missing') })
  return t(`receipt.${state.kind === 'not_stored' ? 'notStored' : state.kind}`)
}

/** The placeholder of a receipt without a picture. */
export function FileIcon({ contentType, size = 24 }: { contentType: string; size?: number }) {
  const Icon = contentType.endsWith('xml') ? FileCode2 : contentType === 'application/pdf' ? FileText : Image
  return <Icon size={size} strokeWidth={1.5} aria-hidden />
}
