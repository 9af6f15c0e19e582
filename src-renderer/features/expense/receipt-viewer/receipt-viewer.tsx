import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentRepresentation } from '#shared/contract/attachments'
import { latinKey } from '#renderer/ui/keys/key-combo'
import { commandOf } from './commands'
import type { Said } from '../said'
import { ReceiptBody } from './receipt-body'
import { ReceiptToolbar } from './receipt-toolbar'
import classes from './receipt-viewer.module.css'
import type { ViewerControls } from './use-receipt-viewer'

/**
 * The receipts of an expense. `empty` is shown where there is none; `onRetry` reads the expense again, whose file addresses expire. `name`: what
 * they are called where there are those of two expenses.
 */
export type ReceiptViewerProps = {
  attachments: readonly AttachmentRepresentation[]
  controls: ViewerControls
  empty: ReactNode
  onRetry: () => void
  name?: string
  /** What was read on them. */
  said?: readonly Said[]
}

/** Does what a key asks of the receipt that has the focus. */
export function onReceiptKey(event: KeyboardEvent, { view, run }: ViewerControls, attachment: AttachmentRepresentation | undefined): void {
  const isOnButton = event.target instanceof Element && event.target.closest('button, a') !== null
  const isOnText = event.target instanceof Element && event.target.closest('[role=document]') !== null
  const isWhole = view.viewport.zoom <= 1 || attachment?.content_type.endsWith('/xml') === true
  const { shiftKey, ctrlKey, metaKey, altKey } = event
  const command = commandOf({ key: latinKey(event), shiftKey, ctrlKey, metaKey, altKey }, { isWhole })
  if (command === undefined || (isOnButton && event.key === ' ')) return
  if (isOnText && /^(Arrow(Up|Down)|Page)/.test(event.key)) return
  run(command)
  event.preventDefault()
  event.stopPropagation()
}

/** Shows receipts one at a time, with their tools. `isFull`: they fill the window. */
export function Receipts({ attachments, controls, empty, onRetry, isFull, name, said = [] }: ReceiptViewerProps & { isFull: boolean }) {
  const { t } = useTranslation('expense')
  const { view } = controls
  const attachment = attachments[view.index]
  if (attachment === undefined) return <>{empty}</>
  const label = t('receipt.label', { index: view.index + 1, count: attachments.length, name: attachment.file_name })
  return (
    <>
      <ReceiptToolbar
        attachment={attachment}
        count={attachments.length}
        controls={controls}
        isFull={isFull}
        isPaired={name !== undefined}
      />
      {isFull === view.isFull && (
        <ReceiptBody key={attachment.uid} attachment={attachment} label={label} controls={controls} said={said} onRetry={onRetry} />
      )}
    </>
  )
}

/** The receipts next to the other facts of an expense. */
export function ReceiptViewer(props: ReceiptViewerProps) {
  const { t } = useTranslation('expense')
  const { attachments, controls, empty, name = t('receipt.title') } = props
  if (attachments.length === 0) return <>{empty}</>
  return (
    <section
      className={classes.viewer}
      aria-label={name}
      onKeyDown={(event) => onReceiptKey(event, controls, attachments[controls.view.index])}
    >
      <Receipts {...props} isFull={false} />
    </section>
  )
}
