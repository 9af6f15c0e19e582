import { Autocomplete, MultiSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#shared/contract/tags'
import { maxTagName } from '#shared/domain/tags'
import { type TagFields, useTagWrite } from '../../api/tags'
import { RecordForm, refusalOf, useStored } from '../../records/list-screen/record-form'
import type { FieldValue } from '../../state/form-edit'
import { useFormDraft } from '../../ui/form/use-form-draft'

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
  const stored = useStored({ name: 'tags', draft, record: tag, onStored })
  const submit = () => {
    setBlank(name.trim() === '')
    if (name.trim() === '') return
    const fields: TagFields = { name: name.trim(), group: group.trim() || null, restricted_user_ids: userIds.map(Number) }
    write.mutate(tag ? { kind: 'change', record: tag, fields } : { kind: 'create', fields }, stored)
  }
  const nameAll = (value: FieldValue) =>
    Array.isArray(value)
      ? value.map((id) => people.find((person) => String(person.id) === id)?.name ?? t('formerMember')).join(', ')
      : undefined
  const known = new Set(people.map(({ id }) => String(id)))
  const former = userIds.filter((id) => !known.has(id)).map((id) => ({ value: id, label: t('formerMember') }))
  return (
    <RecordForm
      name="tags"
      draft={draft}
      attributes={['name', 'group', 'restricted_user_ids']}
      words={{
        name: (field) => t(field === 'userIds' ? 'detail.usable' : `detail.${field}`),
        value: (field, value) => (field === 'userIds' ? nameAll(value) : undefined),
      }}
      {...{ error: write.error, isPending: write.isPending, isNew: !tag, onSubmit: submit, onDelete }}
    >
      <TextInput
        label={t('detail.name')}
        value={name}
        onChange={(event) => draft.change({ name: event.currentTarget.value })}
        maxLength={maxTagName}
        required
        withAsterisk={false}
        autoFocus={!tag}
        error={isBlank ? t('blank') : refusalOf(write.error, 'name')}
      />
      <Autocomplete
        size="xs"
        label={t('detail.group')}
        description={t('detail.groupHint')}
        value={group}
        onChange={(value) => draft.change({ group: value })}
        data={[...groups]}
        maxLength={255}
        error={refusalOf(write.error, 'group')}
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
        error={refusalOf(write.error, 'restricted_user_ids')}
      />
    </RecordForm>
  )
}
