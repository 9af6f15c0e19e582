import { TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { currencyChoices } from '#shared/domain/currencies'
import { parseTagNames } from '#shared/domain/tags'
import { aheadOf, dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { AmountField, understoodBeneath } from './amount-text'
import { now } from '../values/clock'
import classes from './fields.module.css'
import { formatAbsolute } from '../values/format'
import { SearchSelect } from './search-select'

/** The props of every field. `error`: in the user's language. */
export type FieldState = { error?: string; isDisabled?: boolean }

/** A typed amount, its currency, and how to change either. */
export type MoneyFieldProps = FieldState & {
  amount: string
  currency: string
  onAmount: (text: string) => void
  onCurrency: (code: string) => void
  currencyError?: string
  /** What the amount is called where that is not "Amount". */
  amountLabel?: string
  isCurrencyFixed?: boolean
}

/** An amount and its currency. The caller reads the text with `parseAmountInput`. */
export function MoneyField({
  amount,
  currency,
  onAmount,
  onCurrency,
  error,
  currencyError,
  amountLabel,
  isDisabled = false,
  isCurrencyFixed = false,
}: MoneyFieldProps) {
  const { t } = useTranslation('ui')
  return (
    <div className={classes.pair}>
      <AmountField
        label={amountLabel ?? t('field.amount')}
        of={{ kind: 'amount', text: amount, currency }}
        onText={onAmount}
        error={error}
        disabled={isDisabled}
        data-field="amount"
      />
      <SearchSelect
        label={t('field.currency')}
        value={currency}
        onChange={onCurrency}
        data={currencyChoices(currency)}
        error={currencyError}
        disabled={isDisabled || isCurrencyFixed}
        data-field="currency"
      />
    </div>
  )
}

/** A typed day (`3`, `3/1`, `yesterday`), with its interpretation beneath. The caller reads it with `parseDateInput`. */
export function DayField({
  label,
  text,
  onText,
  error,
  isDisabled,
}: FieldState & { label?: string; text: string; onText: (text: string) => void }) {
  const { t } = useTranslation('ui')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const today = dayOf(now(), timezone)
  const parsed = parseDateInput(text, today)
  const written = parsed.kind === 'ok' ? formatAbsolute(`${parsed.date}T00:00:00Z`, { language, timezone, now: now() }) : ''
  const understood =
    parsed.kind === 'ok'
      ? aheadOf(parsed.date, today) === 'near'
        ? t('futureDay.near', { date: written })
        : written
      : parsed.kind === 'empty'
        ? t('field.dateHint')
        : t('problem.not_a_date')
  return (
    <TextInput
      label={label ?? t('field.date')}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      autoComplete="off"
      error={error}
      disabled={isDisabled}
      data-field="date"
      {...understoodBeneath(error ? '' : understood)}
    />
  )
}

/** One of several people, found by typing. */
export function PersonSelect({
  label,
  people,
  value,
  onChange,
  error,
  isDisabled,
}: FieldState & {
  label: string
  people: ReadonlyArray<{ readonly id: number; readonly name: string }>
  value: number | null
  onChange: (id: number) => void
}) {
  return (
    <SearchSelect
      label={label}
      value={value === null ? null : String(value)}
      data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
      error={error}
      disabled={isDisabled}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  )
}

/** Tags: those that exist are offered; new ones may be written unless the organization allows existing ones only. */
export function TagsField({
  tags,
  onTags,
  names,
  isRestricted,
  error,
  isDisabled,
}: FieldState & {
  tags: readonly string[]
  onTags: (tags: string[]) => void
  /** The tags that the user may use. */
  names: readonly string[]
  isRestricted: boolean
}) {
  const { t } = useTranslation('ui')
  const set = (given: string[]) => {
    const parsed = parseTagNames(given.map((tag) => tag.replace(/[\s,;]+$/, '')))
    onTags(isRestricted ? parsed.filter((tag) => names.includes(tag)) : parsed)
  }
  return (
    <TagsInput
      size="xs"
      label={t('field.tags')}
      description={isRestricted ? t('field.tagsRestricted') : undefined}
      value={[...tags]}
      onChange={set}
      data={[...names]}
      splitChars={[',', ';']}
      error={error}
      disabled={isDisabled}
      data-field="tags"
      clearable={false}
      acceptValueOnBlur
    />
  )
}
