import { MultiSelect, Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { useCards } from '#renderer/api/corporative-cards'
import { useUsableTags } from '#renderer/api/tags'
import { SupplierField } from '#renderer/records/expense/supplier-field'
import { DayField } from '#renderer/ui/form/fields'
import { type BulkChanges, type EmptiedAttribute, emptiedNames } from './bulk-edit'

/** What the fields of a bulk edit hold. */
export type BulkForm = {
  readonly addTags: readonly string[]
  readonly removeTags: readonly string[]
  readonly day: string
  readonly supplier_name: string
  readonly supplier_tax_id: string
  readonly location: string
  readonly card: string | null
  readonly emptied: readonly EmptiedAttribute[]
}

/** The fields before anyone has typed. */
export const emptyForm: BulkForm = {
  ...{ addTags: [], removeTags: [], day: '', supplier_name: '', supplier_tax_id: '', location: '', card: null, emptied: [] },
}

type Cards = ReturnType<typeof useCards>

/** What the fields ask for; what is typed counts more than that its field is to be emptied. */
export function changesOf(form: BulkForm, { day, cards }: { day: string | undefined; cards: Cards }): BulkChanges {
  const card = cards.find(({ id }) => String(id) === form.card)
  const texts = (['supplier_name', 'supplier_tax_id', 'location'] as const).flatMap((name): Array<[string, string]> => {
    const text = form[name].trim()
    return text === '' ? [] : [[name, text]]
  })
  return {
    ...{ addTags: form.addTags, removeTags: form.removeTags, emptied: form.emptied },
    ...(day === undefined ? {} : { occurred_at: day }),
    ...Object.fromEntries(texts),
    ...(card ? { card: { id: card.id, user_id: card.user.id } } : {}),
  }
}

/** The fields of a bulk edit: what stays empty stays as it is, apart from what is to be emptied. */
export function BulkFields({
  form,
  organizationId,
  isDayWrong,
  cards,
  onChange,
}: {
  form: BulkForm
  organizationId: number | null
  isDayWrong: boolean
  cards: Cards
  onChange: (part: Partial<BulkForm>) => void
}) {
  const { t } = useTranslation(['review', 'expense', 'ui'])
  const tags = useUsableTags(organizationId)
  const names = {
    tags: t('expense:fields.tags'),
    supplier_name: t('expense:fields.supplier_name'),
    supplier_tax_id: t('expense:fields.supplier_tax_id'),
    location: t('expense:fields.location'),
    corporative_card_id: t('review:attribute.card'),
  }
  const text = (name: 'supplier_tax_id' | 'location', maxLength: number) => (
    <TextInput
      size="xs"
      label={names[name]}
      value={form[name]}
      maxLength={maxLength}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <>
      {(['addTags', 'removeTags'] as const).map((name) => (
        <TagsInput
          key={name}
          size="xs"
          label={t(`review:bulk.${name}`)}
          value={[...form[name]]}
          data={tags}
          splitChars={[';']}
          acceptValueOnBlur
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <DayField text={form.day} onText={(value) => onChange({ day: value })} error={isDayWrong ? t('ui:problem.not_a_date') : undefined} />
      <SupplierField supplier={form} organizationId={organizationId} error={undefined} onChange={onChange} />
      {text('supplier_tax_id', 40)}
      {text('location', 500)}
      <Select
        size="xs"
        label={names.corporative_card_id}
        data={cards.map(({ id, name, user }) => ({ value: String(id), label: `${name} · ${user.name}` }))}
        value={form.card}
        clearable
        searchable
        onChange={(value) => onChange({ card: value })}
      />
      <MultiSelect
        size="xs"
        label={t('review:bulk.emptied')}
        data={emptiedNames.map((name) => ({ value: name, label: names[name] }))}
        value={[...form.emptied]}
        clearable
        onChange={(values) => onChange({ emptied: emptiedNames.filter((name) => values.includes(name)) })}
      />
    </>
  )
}
