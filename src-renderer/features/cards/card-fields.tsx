import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import { may } from '#shared/domain/permissions'
import { useMembers } from '../../api/organization-lists'
import { PersonSelect } from '../../ui/form/fields'
import type { CardForm } from './card-form'
import classes from './cards.module.css'

/** Fields that a new card and a stored one have in common. `errors` by the contract's name of the attribute. */
export type CardFieldsProps = {
  form: CardForm
  onChange: (part: Partial<CardForm>) => void
  errors: Readonly<Record<string, string>>
  session: Session
}

/** Name, expiration date and organization. */
export function CardFields({ form, onChange, errors, session }: CardFieldsProps) {
  const { t } = useTranslation('cards')
  return (
    <>
      <TextInput
        label={t('field.name')}
        value={form.name}
        maxLength={255}
        autoComplete="off"
        error={errors.name}
        data-field="name"
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t('field.expiration')}
        placeholder={t('field.expirationHint')}
        value={form.expiration}
        maxLength={9}
        inputMode="numeric"
        autoComplete="off"
        error={errors.expiration_date}
        className={`${classes.short} tabular`}
        onChange={(event) => onChange({ expiration: event.currentTarget.value })}
      />
      {session.memberships.length > 1 && (
        <Select
          label={t('field.organization')}
          value={form.organization_id === null ? null : String(form.organization_id)}
          data={session.memberships.map(({ organization }) => ({
            value: String(organization.id),
            label: organization.name,
            disabled: organization.expired,
          }))}
          allowDeselect={false}
          error={errors.organization_id}
          onChange={(value) => {
            if (value !== null) onChange({ organization_id: Number(value), user_id: session.user.id })
          }}
        />
      )}
    </>
  )
}

/** Whose card it is, for those who may name others. */
export function CardUserField({ form, onChange, errors, session }: CardFieldsProps) {
  const { t } = useTranslation('cards')
  const role = session.memberships.find(({ organization }) => organization.id === form.organization_id)?.role
  const mayName = may('corporative_cards.create_for_others', { role })
  const members = useMembers(mayName ? form.organization_id : null)
  if (!mayName) return null
  return (
    <PersonSelect
      label={t('field.user')}
      people={members}
      value={form.user_id}
      onChange={(user_id) => onChange({ user_id })}
      error={errors.user_id}
    />
  )
}
