import { Button } from '@mantine/core'
import { useId, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFocusBack } from '../form/use-focus-back'
import { KeyHint } from '../keys/key-hint'
import classes from '../parts.module.css'
import { useEarlyConfirm } from './early-confirm'

/**
 * What the sheet asks. `isDanger`: what cannot be undone; its name then belongs in `confirmLabel`. `isWaiting`: it is not
 * known yet what will be done; `isAsAsked`: it is, and nothing is left out. `isNotice`: there is nothing to decide, only to read. Confirmed twice is confirmed once.
 */
export type ConfirmSheetProps = {
  title: string
  children?: ReactNode
  confirmLabel: string
  isDanger?: boolean
  isWaiting?: boolean
  isAsAsked?: boolean
  isNotice?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** A sheet at the foot of its (positioned) pane before something large: Enter goes ahead, Escape backs out, focus returns to where it was. */
export function ConfirmSheet({
  title,
  children,
  confirmLabel,
  isDanger = false,
  isWaiting = false,
  isAsAsked = false,
  isNotice = false,
  onConfirm,
  onCancel,
}: ConfirmSheetProps) {
  const { t } = useTranslation('ui')
  const titleId = useId()
  const confirmRef = useRef<HTMLButtonElement>(null)
  useFocusBack()
  useLayoutEffect(() => confirmRef.current?.focus({ preventScroll: true }), [])
  const isConfirmed = useRef(false)
  const go = () => {
    if (isConfirmed.current) return
    isConfirmed.current = true
    onConfirm()
  }
  const { confirm, hint } = useEarlyConfirm({ isWaiting, isAsAsked, go })
  const onKeyDown = (event: KeyboardEvent) => {
    // A key that is still held from what opened the sheet confirms nothing.
    if (event.repeat) return event.preventDefault()
    if (event.key !== 'Escape') return
    event.preventDefault()
    onCancel()
  }
  return (
    <section className={classes.sheet} role="dialog" aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <h2 id={titleId} className={classes.sheetTitle}>
        {title}
      </h2>
      {children}
      {hint}
      <div className={classes.sheetActions}>
        {!isNotice && (
          <Button variant="default" onClick={onCancel} rightSection={<KeyHint keys="escape" />}>
            {t('cancel')}
          </Button>
        )}
        <Button
          ref={confirmRef}
          color={isDanger ? 'red.9' : undefined}
          onClick={confirm}
          aria-disabled={isWaiting}
          data-disabled={isWaiting || undefined}
        >
          {confirmLabel}
        </Button>
      </div>
    </section>
  )
}
