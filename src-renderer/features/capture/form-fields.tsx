import { Autocomplete, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance'
import { membershipRoutes } from '#shared/contract/memberships'
import { tagRoutes } from '#shared/contract/tags'
import { currencyExponents } from '#shared/domain/currencies'
import { parseTagNames } from '#shared/domain/tags'
import { call } from '../../api/client'
import { parseAmountInput } from '../../state/amount-input'
import { dayOf, parseDateInput } from '../../state/date-input'
import type { DraftForm } from '../../state/draft'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/clock'
import { formatAbsolute, formatMoney } from '../../ui/format'
import classes from './capture.module.css'

/** A field of the form: what is typed, how to change it, and what is wrong with it. */
export type FieldProps = { form: DraftForm; change: (part: Partial<DraftForm>) => void; error?: string; isDisabled?: boolean }

const currencyCodes = Object.keys(currencyExponents)
const listSize = 100

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

/** The amount, with what was understood beneath, and its currency. */
export function AmountField({ form, change, error, currencyError, isDisabled }: FieldProps & { currencyError?: string }) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const { amount: text, currency } = form
  const parsed = parseAmountInput(text, { currency, language })
  const understood =
    parsed.kind === 'ok'
      ? formatMoney({ amount: parsed.amount, currency }, { language, display: 'code' })
      : parsed.kind === 'empty'
        ? ''
        : t(`problem.${parsed.kind}`)
  return (
    <div className={classes.pair}>
      <TextInput
        label={t('field.amount')}
        value={text}
        onChange={(event) => change({ amount: event.currentTarget.value })}
        inputMode="decimal"
        autoComplete="off"
        error={error}
        disabled={isDisabled}
        data-field="amount"
        className="tabular"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        description={<span className={classes.understood}>{error ? '' : understood}</span>}
        descriptionProps={{ component: 'div' }}
      />
      <Select
        label={t('field.currency')}
        value={currency}
        onChange={(value) => {
          if (value !== null) change({ currency: value })
        }}
        data={currencyCodes}
        searchable
        allowDeselect={false}
        selectFirstOptionOnChange
        error={currencyError}
        disabled={isDisabled}
        data-field="currency"
      />
    </div>
  )
}

/** The day, with what was understood beneath. */
export function DateField({ form, change, error, isDisabled }: FieldProps) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const parsed = parseDateInput(form.date, dayOf(now(), timezone))
  const understood =
    parsed.kind === 'ok'
      ? formatAbsolute(`${parsed.date}T00:00:00Z`, { language, timezone, now: now() })
      : parsed.kind === 'empty'
        ? t('field.dateHint')
        : t('problem.not_a_date')
  return (
    <TextInput
      label={t('field.date')}
      value={form.date}
      onChange={(event) => change({ date: event.currentTarget.value })}
      autoComplete="off"
      error={error}
      disabled={isDisabled}
      data-field="date"
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={<span className={classes.understood}>{error ? '' : understood}</span>}
      descriptionProps={{ component: 'div' }}
    />
  )
}

/** Tags: those of the organization that the user may use, and, where it allows them, new ones. */
export function TagsField({ form, change, error, isDisabled, isRestricted }: FieldProps & { isRestricted: boolean }) {
  const { t } = useTranslation('capture')
  const { payer_id } = form
  const { data: names = [] } = useQuery({
    queryKey: ['tags', payer_id],
    enabled: payer_id !== null,
    queryFn: async ({ signal }) =>
      (
        await call(tagRoutes.list, {
          params: { organization_id: payer_id ?? 0 },
          query: { per_page: listSize, sort: 'name' },
          signal,
        })
      ).tags
        .filter(({ usable }) => usable)
        .map(({ name }) => name),
  })
  const set = (given: string[]) => {
    const tags = parseTagNames(given.map((tag) => tag.replace(/[\s,;]+$/, '')))
    change({ tags: isRestricted ? tags.filter((tag) => names.includes(tag)) : tags })
  }
  return (
    <TagsInput
      size="xs"
      label={t('field.tags')}
      description={isRestricted ? t('field.tagsRestricted') : undefined}
      value={form.tags}
      onChange={set}
      data={names}
      splitChars={[',', ';']}
      error={error}
      disabled={isDisabled}
      data-field="tags"
      clearable={false}
      acceptValueOnBlur
    />
  )
}

/** Who spent the money: the user, or for analysts and above any member. */
export function ReceiverField({ form, change, error, isDisabled, me }: FieldProps & { me: { id: number; name: string } }) {
  const { t } = useTranslation('capture')
  const { payer_id } = form
  const { data: members = [] } = useQuery({
    queryKey: ['members', payer_id],
    enabled: payer_id !== null,
    queryFn: async ({ signal }) =>
      (
        await call(membershipRoutes.list, { params: { organization_id: payer_id ?? 0 }, query: { per_page: listSize }, signal })
      ).memberships.map(({ user }) => user),
  })
  const others = members
    .filter(({ id }) => id !== me.id)
    .map(({ id, first_name, last_name }) => ({ value: String(id), label: `${first_name} ${last_name}`.trim() }))
  return (
    <Select
      label={t('field.receiver')}
      value={String(form.receiver_id ?? me.id)}
      data={[{ value: String(me.id), label: t('field.receiverMe', { name: me.name }) }, ...others]}
      searchable
      allowDeselect={false}
      selectFirstOptionOnChange
      error={error}
      disabled={isDisabled}
      onChange={(value) => {
        if (value !== null) change({ receiver_id: Number(value) === me.id ? null : Number(value) })
      }}
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
