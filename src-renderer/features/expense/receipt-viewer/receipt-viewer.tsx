import { Modal } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentRepresentation } from '#shared/contract/representations'
import { commandOf } from './commands'
import { ReceiptBody } from './receipt-body'
import { ReceiptToolbar } from './receipt-toolbar'
import classes from './receipt-viewer.module.css'
import type { ViewerControls } from './use-receipt-viewer'

/** The receipts of an expense. `empty` stands where there is none; `onRetry` reads the expense anew, whose file addresses expire. */
export type ReceiptViewerProps = {
  attachments: readonly AttachmentRepresentation[]
  controls: ViewerControls
  empty: ReactNode
  onRetry: () => void
}

/** Shows receipts one at a time; the same viewer fills the window when asked to, and gives the focus back afterwards. */
export function ReceiptViewer({ attachments, controls, empty, onRetry }: ReceiptViewerProps) {
  const { t } = useTranslation('expense')
  const { view, run } = controls
  const attachment = attachments[view.index]
  if (attachment === undefined) return <>{empty}</>
  const label = t('receipt.label', { index: view.index + 1, count: attachments.length, name: attachment.file_name })
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnButton = event.target instanceof Element && event.target.closest('button, a') !== null
    const isOnText = event.target instanceof Element && event.target.closest('[role=document]') !== null
    if (event.key === 'Escape' && view.isFull) run({ kind: 'full' })
    else {
      const command = isOnButton && event.key === ' ' ? undefined : commandOf(event)
      const isScroll = isOnText && (event.key.startsWith('Arrow') || event.key.startsWith('Page'))
      if (command === undefined || isScroll) return
      run(command)
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const toolbar = (isFull: boolean) => (
    <ReceiptToolbar attachment={attachment} count={attachments.length} controls={controls} isFull={isFull} />
  )
  const body = <ReceiptBody key={attachment.uid} attachment={attachment} label={label} controls={controls} onRetry={onRetry} />
  return (
    <>
      <section className={classes.viewer} aria-label={t('receipt.title')} onKeyDown={onKeyDown}>
        {toolbar(false)}
        {!view.isFull && body}
      </section>
      <Modal.Root
        opened={view.isFull}
        onClose={() => run({ kind: 'full' })}
        fullScreen
        closeOnEscape={false}
        transitionProps={{ duration: 0 }}
      >
        <Modal.Content aria-label={t('receipt.title')} radius={0}>
          <div className={classes.full} onKeyDown={onKeyDown}>
            {toolbar(true)}
            {view.isFull && body}
          </div>
        </Modal.Content>
      </Modal.Root>
    </>
  )
}
