import { Autocomplete, Button, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#shared/contract/tags'
import { maxTagName } from '#shared/domain/tags'
import { ApiError } from '../../api/client'
import { failureText } from '../../api/failure-text'
import { type TagFields, useTagWrite } from '../../api/tags'
import type { FieldValue } from '../../state/form-edit'
import { DraftForm } from '../../ui/form/draft-form'
import { KeyHint } from '../../ui/keys/key-hint'
import { notifyDone } from '../../state/notices'
import { useFormDraft } from '../../ui/form/use-form-draft'
import classes from './tags.module.css'

/** What the form is given. `tag` is absent for a new one; `people` are the members. */
export type TagFormProps = {
  organizationId: number
  tag?: Tag
  groups: readonly string[]
  people: ReadonlyArray<{ readonly id: number; readonly name: string }>
  onStored: (tag: Tag) => void
  onDelete?: () => void
}

/** A tag's name, group, and who may use it. */
export function TagForm({ organizationId, tag, groups, people, onStored, onDelete }: TagFormProps) {
  const { t } = useTranslation('tags')
  const draft = useFormDraft({
    form: tag ? 'tag-edit' : 'tag-new',
    record: tag?.id ?? organizationId,
    stored: { name: tag?.name ?? '', group: tag?.group ?? '', userIds: (tag?.restricted_user_ids ?? []).map(String) },
  })
  const { name, group, userIds } = draft.value
  const [isBlank, setBlank] = useState(false)
  const write = useTagWrite(organizationId)
  const submit = () => {
    setBlank(name.trim() === '')
    if (name.trim() === '') return
    const fields: TagFields = { name: name.trim(), group: group.trim() || null, restricted_user_ids: userIds.map(Number) }
    write.mutate(tag ? { kind: 'change', record: tag, fields } : { kind: 'create', fields }, {
      onSuccess: (stored) => {
        if (!stored) return
        draft.done()
        notifyDone(t(tag ? 'changed' : 'created', { name: stored.name }))
        onStored(stored)
      },
    })
  }
  const nameAll = (value: FieldValue) =>
    Array.isArray(value)
      ? value.map((id) => people.find((person) => String(person.id) === id)?.name ?? t('formerMember')).join(', ')
      : undefined
  const known = new Set(people.map(({ id }) => String(id)))
  const former = userIds.filter((id) => !known.has(id)).map((id) => ({ value: id, label: t('formerMember') }))
  const fieldErrors = write.error instanceof ApiError ? write.error.fields : {}
  return (
    <DraftForm
      draft={draft}
      words={{
        name: (field) => t(field === 'userIds' ? 'detail.usable' : `detail.${field}`),
        value: (field, value) => (field === 'userIds' ? nameAll(value) : undefined),
      }}
      className={classes.form}
      onSubmit={submit}
    >
      <TextInput
        label={t('detail.name')}
        value={name}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
        maxLength={maxTagName}
        required
        withAsterisk={false}
        autoFocus={!tag}
        error={isBlank ? t('blank') : fieldErrors.name?.join(' ')}
      />
      <Autocomplete
        size="xs"
        label={t('detail.group')}
        description={t('detail.groupHint')}
        value={group}
        onChange={(value) => draft.change({ group: value })}
        data={[...groups]}
        maxLength={255}
        error={fieldErrors.group?.join(' ')}
      />
      <MultiSelect
        size="xs"
        label={t('detail.usable')}
        description={t('detail.usableHint')}
        placeholder={userIds.length === 0 ? t('detail.usablePlaceholder') : undefined}
        value={userIds}
        onChange={(value) => draft.change({ userIds: value })}
        data={[...people.map(({ id, name: label }) => ({ value: String(id), label })), ...former]}
        searchable
        error={fieldErrors.restricted_user_ids?.join(' ')}
      />
      {write.error && !hasOwnField(fieldErrors) && (
        <p className={classes.failure} role="alert">
          {write.error instanceof ApiError && write.error.status === 412
            ? t('stale')
            : t('failed', { reason: failureText(write.error) })}
        </p>
      )}
      <div className={classes.actions}>
        <Button type="submit" loading={write.isPending}>
          {t(tag ? 'detail.save' : 'detail.create')}
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

function hasOwnField(fields: Readonly<Record<string, unknown>>): boolean {
  return ['name', 'group', 'restricted_user_ids'].some((name) => name in fields)
}
