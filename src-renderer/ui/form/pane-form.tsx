import { Button } from '@mantine/core'
import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { CancelButton, DraftForm } from './draft-form'
import type { FieldWords } from './draft-notice'
import { KeyHint } from '../keys/key-hint'
import classes from '../panes/record.module.css'
import { useFocusBack } from './use-focus-back'
import type { DraftOfForm } from './use-form-draft'

/** What the form is given. `error`: what belongs to no field; `focus`: the selector of what has the focus first; `words`: as for `DraftForm`. */
export type PaneFormProps = {
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
export function PaneForm(props: PaneFormProps) {
  const { draft, words, label, error, isSending, submitLabel, focus, onSubmit, onCancel, children } = props
  const formRef = useRef<HTMLFormElement>(null)
  useFocusBack({ fallback: '[role=grid]' })
  useLayoutEffect(() => {
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

/** The errors of a form as a whole. */
export function FormError({ error }: { error: string | undefined }) {
  if (error === undefined) return null
  return (
    <p className={classes.error} role="alert">
      {error}
    </p>
  )
}
