import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import type { FormValues } from '../../state/form-edit'
import { notifyDone } from '../../state/notices'
import { DraftForm } from '../../ui/form/draft-form'
import type { FieldWords } from '../../ui/form/draft-notice'
import type { FormDraft } from '../../ui/form/use-form-draft'
import { KeyHint } from '../../ui/keys/key-hint'
import classes from './record-form.module.css'

/**
 * What follows when a form's record is stored: the draft ends, and a note says so. `name`: the texts of its list; `record`: the one that was
 * changed; `more`: a sentence that the note ends with.
 */
export function useStored<T extends FormValues, R extends { readonly name: string }>({
  name,
  draft,
  record,
  more,
  onStored,
}: {
  name: string
  draft: FormDraft<T>
  record: R | undefined
  more?: string
  onStored: (record: R) => void
}) {
  const { t } = useTranslation(name)
  return {
    onSuccess: (stored: R | null) => {
      if (!stored) return
      draft.done()
      const done = t(record ? 'changed' : 'created', { name: stored.name })
      notifyDone(more === undefined ? done : `${done}. ${more}`)
      onStored(stored)
    },
  }
}

/** What went wrong with an attribute of a record that was not stored. */
export function refusalOf(error: Error | null, attribute: string): string | undefined {
  return error instanceof ApiError ? error.fields[attribute]?.join(' ') : undefined
}

/**
 * The form of a record of a list screen: its fields, why it was not stored, and its buttons. `name`: the texts of its list; `attributes`:
 * those whose errors its fields show; `after`: what follows the buttons.
 */
export function RecordForm<T extends FormValues>({
  name,
  draft,
  words,
  attributes,
  error,
  isPending,
  isNew,
  onSubmit,
  onDelete,
  after,
  children,
}: {
  name: string
  draft: FormDraft<T>
  words: FieldWords
  attributes: readonly string[]
  error: Error | null
  isPending: boolean
  isNew: boolean
  onSubmit: () => void
  onDelete: (() => void) | undefined
  after?: ReactNode
  children: ReactNode
}) {
  const { t } = useTranslation(name)
  const isShown = error instanceof ApiError && attributes.some((attribute) => attribute in error.fields)
  return (
    <DraftForm draft={draft} words={words} className={classes.form} onSubmit={onSubmit}>
      {children}
      {error && !isShown && (
        <p className={classes.failure} role="alert">
          {error instanceof ApiError && error.status === 412 ? failureText(error) : t('failed', { reason: failureText(error) })}
        </p>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={isPending}>
          {t(isNew ? 'detail.create' : 'detail.save')}
        </Button>
        {onDelete && (
          <Button variant="default" onClick={onDelete} rightSection={<KeyHint keys="delete" />}>
            {t('detail.delete')}
          </Button>
        )}
      </div>
      {after}
    </DraftForm>
  )
}
