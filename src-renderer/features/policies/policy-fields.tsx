import { MultiSelect, Radio, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { currencyChoices } from '#shared/domain/currencies'
import { type PolicyScope, type PolicyWeight, isMeasuredBy, policyPeriods, policyWeights } from '#shared/domain/policies/terms'
import { toBareTaxId } from '#shared/domain/policies/invoices'
import { formatTaxId } from '#shared/domain/tax-ids'
import { dayOf } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { MoneyField } from '../../ui/form/fields'
import { now } from '../../ui/values/clock'
import classes from './policies.module.css'
import { type PolicyForm, readDays, scopesOf } from './policy-values'
import type { Known, PolicyWords } from './policy-words'

/** The props of every group of fields. `errorOf`: what is wrong with a field, or with an attribute of another name. */
export type PolicyFieldsProps = {
  readonly form: PolicyForm
  readonly change: (part: Partial<PolicyForm>) => void
  readonly errorOf: (field: keyof PolicyForm, attribute?: string) => string | undefined
}

/** What the condition is measured by. */
export function TermFields({ form, change, errorOf, ...known }: PolicyFieldsProps & Known & { words: PolicyWords }) {
  const { t } = useTranslation('policies')
  const timezone = usePreferences((state) => state.timezone)
  const has = (term: Parameters<typeof isMeasuredBy>[1]) => isMeasuredBy(form.condition, term)
  const scopes = (['tag_ids', 'claimant_ids', 'currencies'] as const).filter(has)
  return (
    <>
      {has('amount') && (
        <MoneyField
          amount={form.amount}
          currency={form.currency}
          onAmount={(amount) => change({ amount })}
          onCurrency={(currency) => change({ currency })}
          amountLabel={t(form.condition === 'receipt_missing' ? 'detail.amountAbove' : 'detail.amount')}
          error={errorOf('amount')}
          currencyError={errorOf('currency')}
        />
      )}
      {has('distance') && (
        <div className={classes.pair}>
          <TextInput
            label={t('detail.distance')}
            value={form.distance}
            onChange={(event) => change({ distance: event.currentTarget.value })}
            inputMode="decimal"
            error={errorOf('distance')}
          />
          <Select
            label={t('detail.distanceKind')}
            value={form.distanceKind}
            onChange={(distanceKind) => distanceKind && change({ distanceKind })}
            data={[
              { value: 'km', label: 'km' },
              { value: 'mi', label: 'mi' },
            ]}
            allowDeselect={false}
          />
        </div>
      )}
      {has('period') && (
        <SegmentedControl
          aria-label={t('detail.period')}
          value={form.period}
          onChange={(period) => change({ period })}
          data={policyPeriods.map((value) => ({ value, label: t(`period.${value}`) }))}
        />
      )}
      {has('days') && (
        <TextInput
          label={t(form.condition === 'invoice_date' ? 'detail.daysApart' : 'detail.days')}
          value={form.days}
          onChange={(event) => change({ days: event.currentTarget.value })}
          inputMode="numeric"
          maxLength={5}
          error={errorOf('days')}
        />
      )}
      {has('dates') && (
        <TagsInput
          size="xs"
          label={t('detail.dates')}
          description={t('detail.datesHint')}
          value={[...form.dates]}
          onChange={(dates) => change({ dates: readDays(dates, dayOf(now(), timezone)) })}
          acceptValueOnBlur
          error={errorOf('dates')}
        />
      )}
      {has('tax_ids') && (
        <TagsInput
          size="xs"
          label={t('detail.taxIds')}
          description={t('detail.taxIdsHint')}
          value={[...form.taxIds]}
          onChange={(texts) => change({ taxIds: texts.map((text) => formatTaxId(toBareTaxId(text))) })}
          acceptValueOnBlur
          error={errorOf('taxIds', 'tax_ids')}
        />
      )}
      {scopes.map((scope) => (
        <ScopeField key={scope} scope={scope} isMeasure {...{ form, change, errorOf }} {...known} />
      ))}
    </>
  )
}

/** Which expenses the policy is for. */
export function ScopeFields({ form, ...props }: PolicyFieldsProps & Known & { words: PolicyWords }) {
  const { t } = useTranslation('policies')
  return (
    <fieldset className={classes.scope}>
      <legend className={classes.label}>{t('detail.scope')}</legend>
      {scopesOf(form.condition).map((scope) => (
        <ScopeField key={scope} scope={scope} form={form} {...props} />
      ))}
    </fieldset>
  )
}

type ScopeFieldProps = PolicyFieldsProps & Known & { scope: PolicyScope; words: PolicyWords; isMeasure?: boolean }

function ScopeField({ scope, form, change, errorOf, tags, people, words, isMeasure = false }: ScopeFieldProps) {
  const { t } = useTranslation('policies')
  const label = (name: string) => t(isMeasure ? `measure.${name}` : `scope.${name}`)
  const listed = (
    ids: readonly string[],
    all: ReadonlyArray<{ readonly id: number; readonly name: string }>,
    nameOf: (id: number) => string,
  ) => [
    ...all.map(({ id, name }) => ({ value: String(id), label: name })),
    ...ids.filter((id) => !all.some((one) => String(one.id) === id)).map((id) => ({ value: id, label: nameOf(Number(id)) })),
  ]
  if (scope === 'kinds')
    return (
      <Select
        label={label('kinds')}
        value={form.kind}
        onChange={(kind) => kind !== null && change({ kind })}
        data={(['', 'monetary', 'distance'] as const).map((value) => ({ value, label: t(`kind.${value || 'all'}`) }))}
        allowDeselect={false}
        error={errorOf('kind', 'kinds')}
      />
    )
  if (scope === 'currencies')
    return (
      <MultiSelect
        size="xs"
        label={label('currencies')}
        placeholder={form.currencies.length === 0 ? t('scope.all') : undefined}
        value={[...form.currencies]}
        onChange={(currencies) => change({ currencies })}
        data={currencyChoices(form.currency)}
        searchable
        error={errorOf('currencies')}
      />
    )
  const [field, all, nameOf] =
    scope === 'tag_ids' ? (['tags', tags, words.tagName] as const) : (['claimants', people, words.personName] as const)
  return (
    <MultiSelect
      size="xs"
      label={label(scope)}
      placeholder={form[field].length === 0 && !isMeasure ? t('scope.all') : undefined}
      value={[...form[field]]}
      onChange={(ids) => change({ [field]: ids })}
      data={listed(form[field], all, nameOf)}
      searchable
      error={errorOf(field, scope)}
    />
  )
}

/** What happens to an expense that the policy finds something against. */
export function WeightField({ value, onChange }: { value: PolicyWeight; onChange: (weight: PolicyWeight) => void }) {
  const { t } = useTranslation('policies')
  return (
    <Radio.Group
      label={t('detail.weight')}
      value={value}
      onChange={(chosen) => onChange(policyWeights.find((weight) => weight === chosen) ?? value)}
    >
      <div className={classes.weights}>
        {policyWeights.map((weight) => (
          <Radio key={weight} size="xs" value={weight} label={t(`weight.${weight}`)} description={t(`detail.weightHint.${weight}`)} />
        ))}
      </div>
    </Radio.Group>
  )
}
