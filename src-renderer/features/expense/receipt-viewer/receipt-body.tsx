import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { localUrl } from '#renderer/api/attachments'
import type { Said } from '../said'
import { ReceiptImage } from './receipt-image'
import { ReceiptPdf } from './receipt-pdf'
import classes from './receipt-viewer.module.css'
import { ReceiptXml } from './receipt-xml'
import type { ViewerControls } from './use-receipt-viewer'

/** One receipt by its type, or what to do when it cannot be shown. */
export function ReceiptBody({
  attachment,
  label,
  controls,
  said,
  onRetry,
}: {
  attachment: AttachmentRepresentation
  label: string
  controls: ViewerControls
  said: readonly Said[]
  onRetry: () => void
}) {
  const { t } = useTranslation('expense')
  const [isBroken, setBroken] = useState(false)
  const onBroken = useCallback(() => setBroken(true), [])
  const { view, step, setPages } = controls
  if (isBroken) {
    return (
      <div className={classes.broken} role="alert">
        <p className={classes.brokenText}>{t('receipt.broken', { name: attachment.file_name })}</p>
        <div className={classes.brokenActions}>
          <Button component="a" variant="default" href={localUrl(attachment.url)} download={attachment.file_name}>
            {t('receipt.download')}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setBroken(false)
              onRetry()
            }}
          >
            {t('ui:retry')}
          </Button>
        </div>
      </div>
    )
  }
  const place = view.place?.page === view.page - 1 ? view.place : undefined
  const marks = said.flatMap(({ index, place: at, isOther }) =>
    index === view.index && at?.page === view.page - 1 ? [{ place: at, isOther }] : [],
  )
  const shown = { attachment, place, marks, label, viewport: view.viewport, onStep: step, onBroken }
  return (
    <div className={classes.body} tabIndex={view.isFull ? undefined : -1}>
      {attachment.content_type === 'application/pdf' ? (
        <ReceiptPdf {...shown} page={view.page} onPages={setPages} />
      ) : attachment.content_type.endsWith('/xml') ? (
        <ReceiptXml {...shown} />
      ) : (
        <ReceiptImage {...shown} />
      )}
    </div>
  )
}
