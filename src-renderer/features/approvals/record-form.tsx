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
import classes from './approvals.module.css'

/** What follows when a form's record is stored: the draft ends, and a note says so. */
export function useStored<T extends FormValues, R extends { readonly name: string }>({
  name,
  draft,
  record,
  onStored,
}: {
  name: string
  draft: FormDraft<T>
  record: R | undefined
  onStored: (record: R) => void
}) {
  const { t } = useTranslation(name)
  return {
    onSuccess: (stored: R | null) => {
      if (!stored) return
      draft.done()
      notifyDone(t(record ? 'changed' : 'created', { name: stored.name }))
      onStored(stored)
    },
  }
}

/** The form of a record of a list screen: its fields, why it was not stored, and its buttons. `name`: its texts. */
export function RecordForm<T extends FormValues>({
  name,
  draft,
  words,
  error,
  isPending,
  isNew,
  onSubmit,
  onDelete,
  children,
}: {
  name: string
  draft: FormDraft<T>
  words: FieldWords
  error: Error | null
  isPending: boolean
  isNew: boolean
  onSubmit: () => void
  onDelete: (() => void) | undefined
  children: ReactNode
}) {
  const { t } = useTranslation(name)
  const isOfField = error instanceof ApiError && Object.keys(error.fields).length > 0
  return (
    <DraftForm draft={draft} words={words} className={classes.form} onSubmit={onSubmit}>
      {children}
      {error && !isOfField && (
        <p className={classes.failure} role="alert">
          {error instanceof ApiError && error.status === 412 ? t('stale') : t('failed', { reason: failureText(error) })}
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
    </DraftForm>
  )
}
