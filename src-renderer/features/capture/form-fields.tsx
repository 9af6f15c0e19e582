import { Autocomplete, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { memo, type FunctionComponent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { shallow } from 'zustand/shallow'
import type { Session } from '#shared/contract/instance/instance'
import type { PlainField } from '#shared/records/expense'
import { useMembers } from '../../api/organization-lists'
import { useUsableTags } from '../../api/tags'
import type { DraftForm } from '../../state/draft'
import { CardField } from '../../records/expense/card-field'
import { SupplierField } from '../../records/expense/supplier-field'
import { submitOnEnter } from '../../ui/form/submit-on-enter'
import { DayField, MoneyField, PersonSelect, TagsField } from '../../ui/form/fields'
import classes from './capture.module.css'

/** A field of the form: its text, how to change it, and its error. */
export type FieldProps = { form: DraftForm; change: (part: Partial<DraftForm>) => void; error?: string; isDisabled?: boolean }

/** A field that is drawn again only when its part of the form has changed: a key press draws one of them. */
function reading<P extends Pick<FieldProps, 'form'>>(parts: readonly (keyof DraftForm)[], Field: FunctionComponent<P>) {
  return memo(Field, ({ form: before, ...rest }, { form: after, ...newRest }) => {
    return parts.every((part) => before[part] === after[part]) && shallow(rest, newRest)
  })
}

/** Whether money was spent or a distance travelled. */
export const KindField = reading(['kind'], function KindField({ form, change, isDisabled }: Omit<FieldProps, 'error'>) {
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
})

/** The organization that pays; another one has other members, so the receiver is the user again. */
export const PayerField = reading(
  ['payer_id'],
  function PayerField({ form, change, error, isDisabled, memberships }: FieldProps & Pick<Session, 'memberships'>) {
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
          if (value !== null) change({ payer_id: Number(value), receiver_id: null, card_id: null })
        }}
      />
    )
  },
)

/** Tags: those of the organization that the user may use, and, where it allows them, new ones. */
export const DraftTagsField = reading(
  ['tags', 'payer_id'],
  function DraftTagsField({ form, change, error, isDisabled, isRestricted }: FieldProps & { isRestricted: boolean }) {
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
  },
)

/** Who spent the money: the user, or for analysts and above any member. */
export const ReceiverField = reading(
  ['receiver_id', 'payer_id'],
  function ReceiverField({ form, change, error, isDisabled, user }: FieldProps & Pick<Session, 'user'>) {
    const { t } = useTranslation('capture')
    const me = { id: user.id, name: `${user.first_name} ${user.last_name}`.trim() }
    const others = useMembers(form.payer_id).filter(({ id }) => id !== me.id)
    return (
      <PersonSelect
        label={t('field.receiver')}
        people={[{ id: me.id, name: t('field.receiverMe', { name: me.name }) }, ...others]}
        value={form.receiver_id ?? me.id}
        error={error}
        isDisabled={isDisabled}
        onChange={(id) => change({ receiver_id: id === me.id ? null : id, card_id: null })}
      />
    )
  },
)

/** The company card that paid, if the claimant has one. */
export const DraftCardField = reading(
  ['card_id', 'payer_id', 'receiver_id'],
  function DraftCardField({ form, change, error, isDisabled, user }: FieldProps & Pick<Session, 'user'>) {
    return (
      <CardField
        organizationId={form.payer_id}
        receiverId={form.receiver_id ?? user.id}
        value={form.card_id}
        error={error}
        isDisabled={isDisabled}
        onChange={(card_id) => change({ card_id })}
      />
    )
  },
)

/** Where it was; places of this device's last expenses are offered. */
export const PlaceField = reading(
  ['location', 'origin', 'destination'],
  function PlaceField({
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
  },
)

/** A text of the expense. */
export const PlainTextField = memo(function PlainTextField({ name, form, change, error, isDisabled }: FieldProps & { name: PlainField }) {
  const { t } = useTranslation('expense')
  return (
    <TextInput
      size="xs"
      label={t(`fields.${name}`)}
      value={form[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
      error={error}
      disabled={isDisabled}
      data-field={name}
    />
  )
})

/** What was spent, and in which currency. */
export const AmountField = reading(
  ['amount', 'currency'],
  function AmountField({ form, change, error, currencyError, isDisabled }: FieldProps & { currencyError?: string }) {
    return (
      <MoneyField
        amount={form.amount}
        currency={form.currency}
        onAmount={(amount) => change({ amount })}
        onCurrency={(currency) => change({ currency })}
        error={error}
        currencyError={currencyError}
        isDisabled={isDisabled}
      />
    )
  },
)

/** The day of the expense. */
export const DraftDayField = reading(['date'], function DraftDayField({ form, change, error, isDisabled }: FieldProps) {
  return <DayField text={form.date} onText={(date) => change({ date })} error={error} isDisabled={isDisabled} />
})

/** Who was paid. */
export function DraftSupplierField({ form, change, error, isDisabled }: FieldProps) {
  return <SupplierField supplier={form} organizationId={form.payer_id} error={error} isDisabled={isDisabled} onChange={change} />
}

/** What the money was for; Enter saves, as in every field. */
export const DescriptionField = reading(['description'], function DescriptionField({ form, change, error, isDisabled }: FieldProps) {
  const { t } = useTranslation('capture')
  return (
    <Textarea
      label={t('field.description')}
      value={form.description}
      onChange={(event) => change({ description: event.currentTarget.value })}
      onKeyDown={submitOnEnter}
      autosize
      minRows={1}
      maxRows={6}
      disabled={isDisabled}
      error={error}
      data-field="description"
    />
  )
})

/** A field with what receipts say of it, at the end of its label's line: nothing moves when that arrives. */
export function Marked({ marks, children }: { marks: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.marked}>
      {children}
      <div className={classes.marks}>{marks}</div>
    </div>
  )
}
