import { Autocomplete, SegmentedControl, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance'
import { useMembers } from '../../api/organization-lists'
import { useUsableTags } from '../../api/tags'
import type { DraftForm } from '../../state/draft'
import { PersonSelect, TagsField } from '../../ui/fields'
import classes from './capture.module.css'

/** A field of the form: what is typed, how to change it, and what is wrong with it. */
export type FieldProps = { form: DraftForm; change: (part: Partial<DraftForm>) => void; error?: string; isDisabled?: boolean }

/** Whether money was spent or a distance travelled. */
export function KindField({ form, change, isDisabled }: Omit<FieldProps, 'error'>) {
  const { t } = useTranslation('capture')
  return (
    <SegmentedControl
      className={classes.kind}
      size="xs"
      value={form.kind}
      disabled={isDisabled}
      aria-label={t('kind.label')}
      onChange={(kind) => change({ kind: kind === 'distance' ? 'distance' : 'monetary' })}
      data={[
        { value: 'monetary', label: t('kind.monetary') },
        { value: 'distance', label: t('kind.distance') },
      ]}
    />
  )
}

/** The organization that pays; another one has other members, so the receiver is the user again. */
export function PayerField({ form, change, error, isDisabled, memberships }: FieldProps & Pick<Session, 'memberships'>) {
  const { t } = useTranslation('capture')
  return (
    <Select
      label={t('field.payer')}
      value={form.payer_id === null ? null : String(form.payer_id)}
      allowDeselect={false}
      disabled={isDisabled}
      error={error}
      data={memberships.map(({ organization }) => ({
        value: String(organization.id),
        label: organization.name,
        disabled: organization.expired,
      }))}
      onChange={(value) => {
        if (value !== null) change({ payer_id: Number(value), receiver_id: null })
      }}
    />
  )
}

/** Tags: those of the organization that the user may use, and, where it allows them, new ones. */
export function DraftTagsField({ form, change, error, isDisabled, isRestricted }: FieldProps & { isRestricted: boolean }) {
  const names = useUsableTags(form.payer_id)
  return (
    <TagsField
      tags={form.tags}
      onTags={(tags) => change({ tags })}
      names={names}
      isRestricted={isRestricted}
      error={error}
      isDisabled={isDisabled}
    />
  )
}

/** Who spent the money: the user, or for analysts and above any member. */
export function ReceiverField({ form, change, error, isDisabled, me }: FieldProps & { me: { id: number; name: string } }) {
  const { t } = useTranslation('capture')
  const others = useMembers(form.payer_id).filter(({ id }) => id !== me.id)
  return (
    <PersonSelect
      label={t('field.receiver')}
      people={[{ id: me.id, name: t('field.receiverMe', { name: me.name }) }, ...others]}
      value={form.receiver_id ?? me.id}
      error={error}
      isDisabled={isDisabled}
      onChange={(id) => change({ receiver_id: id === me.id ? null : id })}
    />
  )
}

/** Where it was; places of this device's last expenses are offered. */
export function PlaceField({
  name,
  form,
  change,
  error,
  isDisabled,
  places,
}: FieldProps & { name: 'location' | 'origin' | 'destination'; places: readonly string[] }) {
  const { t } = useTranslation('capture')
  return (
    <Autocomplete
      size="xs"
      label={t(`field.${name}`)}
      value={form[name]}
      onChange={(value) => change({ [name]: value })}
      data={[...places]}
      error={error}
      disabled={isDisabled}
      data-field={name}
      limit={6}
    />
  )
}
