import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Accountability } from '#shared/contract/accountabilities'
import { accountabilityQueue } from '../../acts/accountability-writes'
import { accountabilityKeys, updateAccountability } from '../../api/accountabilities'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { KeyHint } from '../../ui/key-hint'
import { notifyDone } from '../../state/notices'
import classes from './accountabilities.module.css'

/** What an accountability is called, and what it is about. */
export function EditForm({ accountability, onClose }: { accountability: Accountability; onClose: () => void }) {
  const { t } = useTranslation('accountabilities')
  const client = useQueryClient()
  const [title, setTitle] = useState(accountability.title)
  const [description, setDescription] = useState(accountability.description ?? '')
  const save = useMutation({
    mutationFn: () => accountabilityQueue.write(accountability, (now) => updateAccountability(now, { title, description })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: accountabilityKeys.all })
      notifyDone(t('saved'))
      onClose()
    },
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (title.trim() !== '') save.mutate()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <form className={classes.edit} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <TextInput
        label={t('field.title')}
        value={title}
        maxLength={255}
        error={fields.title?.join(', ')}
        onChange={(event) => setTitle(event.currentTarget.value)}
        autoFocus
      />
      <Textarea
        label={t('ui:field.description')}
        value={description}
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      {save.error && !fields.title && (
        <p className={classes.failure} role="alert">
          {failureText(save.error)}
        </p>
      )}
      <div className={classes.editActions}>
        <Button variant="default" onClick={onClose} rightSection={<KeyHint keys="escape" />}>
          {t('ui:cancel')}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={title.trim() === ''}>
          {t('save')}
        </Button>
      </div>
    </form>
  )
}
