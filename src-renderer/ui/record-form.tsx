import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyHint } from './key-hint'
import classes from './record.module.css'
import { useShortcuts } from './shortcuts'

/** What the form is given. `error`: what belongs to no field; `focus`: the selector of what has the focus first. */
export type RecordFormProps = {
  label: string
  error: string | undefined
  isSending: boolean
  submitLabel: string
  focus: string
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

/** A form in a pane: Enter sends it, Escape leaves it. */
export function RecordForm({ label, error, isSending, submitLabel, focus, onSubmit, onCancel, children }: RecordFormProps) {
  const { t } = useTranslation('ui')
  const formRef = useRef<HTMLFormElement>(null)
  useShortcuts({ scope: 'record-form', title: label }, [{ id: 'cancel', keys: 'escape', label: t('cancel'), run: onCancel }])
  useFocusReturn()
  useEffect(() => {
    const first = formRef.current?.querySelector<HTMLElement>(focus)
    first?.focus()
    if (first instanceof HTMLInputElement) first.select()
  }, [focus])
  return (
    <form
      ref={formRef}
      className={classes.form}
      aria-label={label}
      onKeyDownCapture={keepEscapeForLists}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) onSubmit()
      }}
    >
      {children}
      <FormError error={error} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel} rightSection={<KeyHint keys="escape" />}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={isSending} rightSection={<KeyHint keys="enter" />}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}

/** Escape closes an open list and does nothing more. */
function keepEscapeForLists(event: KeyboardEvent): void {
  if (event.key === 'Escape' && event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true')
    event.preventDefault()
}

/** Gives the focus back when the form goes away: to where it was, or, when that is gone too, to the list. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      queueMicrotask(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (!isFree) return
        const isBack = before instanceof HTMLElement && before.isConnected && before !== document.body
        const target = isBack ? before : document.querySelector<HTMLElement>('[role=grid]')
        target?.focus({ preventScroll: true })
      })
    },
    [before],
  )
}

/** What is wrong with a form as a whole. */
export function FormError({ error }: { error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p className={classes.error} role="alert">
      {error}
    </p>
  )
}
