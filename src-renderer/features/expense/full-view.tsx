import { FocusTrap, Portal } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { useFullView } from '../../state/full-view'
import { useOpenForms } from '../../state/open-forms'
import { Held } from '../../ui/form/draft-notice'
import { ErrorState } from '../../ui/feedback/error-state'
import { fullViewId } from '../../ui/shell/frame'
import { focusPlaceOf } from '../../ui/keys/key-combo'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { useFocusBack } from '../../ui/form/use-focus-back'
import { CloseTool, ExpenseHead } from './expense-head'
import classes from './receipt-viewer/receipt-viewer.module.css'
import { onReceiptKey, Receipts, type ReceiptViewerProps } from './receipt-viewer/receipt-viewer'

/** What fills the window. `expense` is undefined while it loads; `error`: why it could not be read. */
type FullViewProps = Omit<ReceiptViewerProps, 'empty'> & { expense: Expense | undefined; error: Error | null; notice?: ReactNode }

/** The receipts of an expense over everything but the status line, with what the expense claims. */
export function FullView(props: FullViewProps) {
  return (
    <Portal target={`#${fullViewId}`}>
      <FullViewDialog {...props} />
    </Portal>
  )
}

function FullViewDialog({ expense, error, notice, ...receipts }: FullViewProps) {
  const { t } = useTranslation(['expense', 'ui'])
  const { attachments, controls, onRetry } = receipts
  const close = () => controls.run({ kind: 'full' })
  const rootRef = useRef<HTMLElement>(null)
  const placeRef = useRef<HTMLDivElement>(null)
  useFocusBack({ partRef: rootRef, fallback: '#main' })
  useLayoutEffect(() => {
    useFullView.setState({ place: placeRef.current })
    return () => useFullView.setState({ place: null, shown: null })
  }, [])
  useLayoutEffect(() => useFullView.setState({ shown: expense ?? null }), [expense])
  useKeepFocus(rootRef)
  useShortcuts({ scope: 'full-view', title: t('shortcuts.title') }, [
    { id: 'close', keys: 'escape', label: t('receipt.small'), run: close, inFull: true },
  ])
  return (
    <FocusTrap active>
      <section className={classes.dialog} role="dialog" aria-modal="true" aria-label={t('receipt.title')} data-full-view>
        <article
          ref={rootRef}
          className={classes.full}
          tabIndex={-1}
          data-autofocus
          aria-busy={expense === undefined && error === null}
          onKeyDown={(event) => onReceiptKey(event, controls, attachments[controls.view.index])}
        >
          {expense ? (
            <ExpenseHead expense={expense} onClose={close} closeLabel={t('receipt.small')} isPage />
          ) : (
            <div className={classes.leave}>
              <CloseTool label={t('receipt.small')} onClose={close} />
            </div>
          )}
          <FullViewHeld />
          {expense && notice}
          {expense ? (
            <Receipts {...receipts} empty={<p className={classes.nothing}>{t('attachments.none')}</p>} isFull />
          ) : error ? (
            <ErrorState happened={t('failure.load')} kept={t('failure.kept')} onRetry={onRetry} error={error} />
          ) : (
            <p className={classes.nothing} role="status">
              {t('ui:loading')}
            </p>
          )}
        </article>
        <div ref={placeRef} className={classes.above} />
      </section>
    </FocusTrap>
  )
}

/** Keeps the keys on what fills the window: what had the focus may be gone with the last expense, or be a button of the status line. */
function useKeepFocus(rootRef: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === document.body) rootRef.current?.focus({ preventScroll: true })
  })
  useEffect(() => {
    const onKeyDown = () => {
      const place = focusPlaceOf(document.activeElement)
      if (place === 'page' || place === 'control') rootRef.current?.focus({ preventScroll: true })
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [rootRef])
}

/** An act that waits for a form: the form itself is covered. */
function FullViewHeld() {
  const isHeld = useOpenForms(({ held }) => held !== null)
  return (
    isHeld && (
      <div className={classes.held}>
        <Held />
      </div>
    )
  )
}
