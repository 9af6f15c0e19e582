import { Button } from '@mantine/core'
import {
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type FormHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
} from 'react'
import { useTranslation } from 'react-i18next'
import { DraftNotice, type FieldWords } from './draft-notice'
import { KeyHint } from '../keys/key-hint'
import { useShortcuts } from '../keys/shortcuts'
import { notifyDone } from '../../state/notices'
import type { DraftOfForm } from './use-form-draft'

/**
 * What the form is given. `words`: how its fields are named, where it edits a record. `onLeave`: closes it, by Escape; without it
 * the form stays on the screen.
 */
export type DraftFormProps = {
  draft: DraftOfForm
  words?: FieldWords
  onSubmit: (event: FormEvent) => void
  onLeave?: (() => void) | undefined
  formRef?: Ref<HTMLFormElement>
  children: ReactNode
} & Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'>

/**
 * The form that every form is: what was left unsaved is offered again, Escape leaves it kept, and act keys wait until it is saved. A save that
 * would replace someone else's change asks first, once: the change may have arrived in the moment before the key.
 */
export function DraftForm({ draft, words, onSubmit, onLeave, formRef, children, ...form }: DraftFormProps) {
  const { t } = useTranslation('ui')
  const fieldsRef = useRef<HTMLFieldSetElement>(null)
  const isWaiting = draft.offered !== undefined
  // A form without words for its fields could not say what it asks.
  const replaced = JSON.stringify(words ? draft.replaced : [])
  const [asked, setAsked] = useState('[]')
  const isAsking = replaced !== '[]' && replaced === asked
  const leave = () => {
    if (draft.isDirty) notifyDone(t('draft.kept'))
    onLeave?.()
  }
  useShortcuts({ scope: `form ${draft.form}`, title: form['aria-label'] ?? t('draft.form') }, [
    { id: 'leave', keys: 'escape', label: t('draft.leave'), run: leave, when: () => onLeave !== undefined },
  ])
  useFocusAfterOffer(fieldsRef, isWaiting)
  return (
    <form
      noValidate
      {...form}
      ref={formRef}
      data-form={draft.form}
      data-dirty={draft.isDirty || undefined}
      onKeyDownCapture={keepEscapeForLists}
      onSubmit={(event) => {
        event.preventDefault()
        if (isWaiting) return
        if (replaced !== '[]' && !isAsking) setAsked(replaced)
        else onSubmit(event)
      }}
    >
      <DraftNotice draft={draft} words={words} isAsking={isAsking} />
      <fieldset ref={fieldsRef} disabled={isWaiting} style={{ display: 'contents' }}>
        {children}
      </fieldset>
    </form>
  )
}

/** Once an offer is answered, the first field has the focus. */
function useFocusAfterOffer(fieldsRef: { current: HTMLFieldSetElement | null }, isWaiting: boolean): void {
  const wasWaiting = useRef(false)
  useLayoutEffect(() => {
    if (wasWaiting.current && !isWaiting)
      fieldsRef.current?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, select')?.focus()
    wasWaiting.current = isWaiting
  }, [fieldsRef, isWaiting])
}

/** Escape closes an open list and does nothing more. */
function keepEscapeForLists(event: KeyboardEvent): void {
  if (event.key === 'Escape' && event.target instanceof Element && event.target.getAttribute('aria-expanded') === 'true')
    event.preventDefault()
}

/** Leaves a form without saving and without keeping what was changed. */
export function CancelButton({ draft, onLeave }: { draft: DraftOfForm; onLeave: () => void }) {
  const { t } = useTranslation('ui')
  const cancel = () => {
    draft.discard()
    onLeave()
  }
  return (
    <Button variant="default" onClick={cancel} rightSection={draft.isDirty ? undefined : <KeyHint keys="escape" />}>
      {draft.isDirty ? t('draft.discard') : t('cancel')}
    </Button>
  )
}
