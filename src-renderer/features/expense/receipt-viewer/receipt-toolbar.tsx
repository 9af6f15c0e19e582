import { ActionIcon, Tooltip } from '@mantine/core'
import { ChevronLeft, ChevronRight, Download, Maximize2, RotateCw, ZoomIn, ZoomOut, type LucideIcon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { localUrl } from '#renderer/api/attachments'
import { KeyHint } from '#renderer/ui/keys/key-hint'
import classes from './receipt-viewer.module.css'
import type { ViewerControls } from './use-receipt-viewer'

/** A button of the toolbar, its key in the tooltip. Disabled, it keeps the focus, or the keys would go elsewhere. */
function Tool({
  label,
  keys,
  icon: Icon,
  run,
  isDisabled = false,
}: {
  label: string
  keys: string
  icon: LucideIcon
  run: () => void
  isDisabled?: boolean
}) {
  return (
    <Tooltip
      label={
        <span className={classes.tip}>
          {label} <KeyHint keys={keys} />
        </span>
      }
    >
      <ActionIcon aria-label={label} aria-disabled={isDisabled} data-disabled={isDisabled || undefined} onClick={() => isDisabled || run()}>
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/** Which receipt this is, and what can be done with it. `isFull`: it is above a receipt that fills the window; `isPaired`: next to another's. */
export function ReceiptToolbar({
  attachment,
  count,
  controls,
  isFull,
  isPaired,
}: {
  attachment: AttachmentRepresentation
  count: number
  controls: ViewerControls
  isFull: boolean
  isPaired: boolean
}) {
  const { t } = useTranslation('expense')
  const {
    view: { index, page, pages, viewport },
    run,
  } = controls
  const isText = attachment.content_type.endsWith('/xml')
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('receipt.toolbar')}>
      {count > 1 && (
        <>
          <Tool
            label={t('receipt.previous')}
            keys="["
            icon={ChevronLeft}
            isDisabled={index === 0}
            run={() => run({ kind: 'receipt', by: -1 })}
          />
          <span className={`${classes.position} tabular`}>{t('receipt.position', { index: index + 1, count })}</span>
          <Tool
            label={t('receipt.next')}
            keys="]"
            icon={ChevronRight}
            isDisabled={index === count - 1}
            run={() => run({ kind: 'receipt', by: 1 })}
          />
        </>
      )}
      <span className={classes.name} title={attachment.file_name}>
        {attachment.description ?? attachment.file_name}
      </span>
      {pages > 1 && (
        <>
          <Tool
            label={t('receipt.previousPage')}
            keys="pageup"
            icon={ChevronLeft}
            isDisabled={page === 1}
            run={() => run({ kind: 'page', by: -1 })}
          />
          <span className={`${classes.position} tabular`}>{t('receipt.page', { page, pages })}</span>
          <Tool
            label={t('receipt.nextPage')}
            keys="pagedown"
            icon={ChevronRight}
            isDisabled={page === pages}
            run={() => run({ kind: 'page', by: 1 })}
          />
        </>
      )}
      <Tool
        label={t('receipt.zoomOut')}
        keys="-"
        icon={ZoomOut}
        isDisabled={viewport.zoom <= 1}
        run={() => run({ kind: 'view', step: { kind: 'zoom', steps: -1 } })}
      />
      <Tool label={t('receipt.zoomIn')} keys="+" icon={ZoomIn} run={() => run({ kind: 'view', step: { kind: 'zoom', steps: 1 } })} />
      {!isText && (
        <Tool label={t('receipt.turn')} keys="shift+r" icon={RotateCw} run={() => run({ kind: 'view', step: { kind: 'turn' } })} />
      )}
      <Tooltip label={t('receipt.download')}>
        <ActionIcon component="a" aria-label={t('receipt.download')} href={localUrl(attachment.url)} download={attachment.file_name}>
          <Download size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {!isFull && !isPaired && <Tool label={t('receipt.full')} keys="space" icon={Maximize2} run={() => run({ kind: 'full' })} />}
    </div>
  )
}
