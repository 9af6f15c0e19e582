import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import { accountabilityQueue, updateAccountability } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { CancelButton, DraftForm } from '../../ui/form/draft-form'
import { notifyDone } from '../../state/notices'
import { useFormDraft } from '../../ui/form/use-form-draft'
import classes from './accountabilities.module.css'

/** What an accountability is called, and what it is about. */
export function EditForm({ accountability, onClose }: { accountability: Accountability; onClose: () => void }) {
  const { t } = useTranslation('accountabilities')
  const draft = useFormDraft({
    form: 'accountability-edit',
    record: accountability.id,
    stored: { title: accountability.title, description: accountability.description ?? '' },
  })
  const { title, description } = draft.value
  const save = useMutation({
    mutationFn: () => accountabilityQueue.write(accountability, (now) => updateAccountability(now, { title, description })),
    onSuccess: () => {
      draft.done()
      notifyDone(t('saved'))
      onClose()
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const submit = () => {
    if (title.trim() !== '') save.mutate()
  }
  return (
    <DraftForm
      draft={draft}
      words={{ name: (field) => t(field === 'title' ? 'field.title' : 'ui:field.description') }}
      className={classes.edit}
      aria-label={t('edit')}
      onSubmit={submit}
      onLeave={onClose}
    >
      <TextInput
        label={t('field.title')}
        value={title}
        maxLength={255}
        error={fields.title?.join(' ')}
        onChange={(event) => draft.change({ title: event.currentTarget.value })}
        autoFocus
      />
      <Textarea
        label={t('ui:field.description')}
        value={description}
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => draft.change({ description: event.currentTarget.value })}
      />
      {save.error && !fields.title && (
        <p className={classes.failure} role="alert">
          {failureText(save.error)}
        </p>
      )}
      <div className={classes.editActions}>
        <CancelButton draft={draft} onLeave={onClose} />
        <Button type="submit" loading={save.isPending} disabled={title.trim() === ''}>
          {t('save')}
        </Button>
      </div>
    </DraftForm>
  )
}
