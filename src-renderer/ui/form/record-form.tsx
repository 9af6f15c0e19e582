import { Button } from '@mantine/core'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { CancelButton, DraftForm } from './draft-form'
import type { FieldWords } from './draft-notice'
import { KeyHint } from '../keys/key-hint'
import classes from '../panes/record.module.css'
import type { DraftOfForm } from './use-form-draft'

/** What the form is given. `error`: what belongs to no field; `focus`: the selector of what has the focus first; `words`: as for `DraftForm`. */
export type RecordFormProps = {
  draft: DraftOfForm
  words?: FieldWords | undefined
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
export function RecordForm(props: RecordFormProps) {
  const { draft, words, label, error, isSending, submitLabel, focus, onSubmit, onCancel, children } = props
  const formRef = useRef<HTMLFormElement>(null)
  useFocusReturn()
  useEffect(() => {
    const first = formRef.current?.querySelector<HTMLElement>(focus)
    first?.focus()
    if (first instanceof HTMLInputElement) first.select()
  }, [focus])
  return (
    <DraftForm
      draft={draft}
      words={words}
      formRef={formRef}
      className={classes.form}
      aria-label={label}
      onSubmit={() => {
        if (!isSending) onSubmit()
      }}
      onLeave={onCancel}
    >
      {children}
      <FormError error={error} />
      <div className={classes.actions}>
        <CancelButton draft={draft} onLeave={onCancel} />
        <Button type="submit" loading={isSending} rightSection={<KeyHint keys="enter" />}>
          {submitLabel}
        </Button>
      </div>
    </DraftForm>
  )
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

/** The errors of a form as a whole. */
export function FormError({ error }: { error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p className={classes.error} role="alert">
      {error}
    </p>
  )
}
