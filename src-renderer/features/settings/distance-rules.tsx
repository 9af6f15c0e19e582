import { Badge, Button, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { distanceRuleRoutes, type DistanceRuleRepresentation } from '#shared/contract/distance-rules'
import { parseRateInput, writeDecimal } from '#shared/domain/amount-text'
import { currencyChoices } from '#shared/domain/currencies'
import { distanceKinds, rateDecimals, ruleOn } from '#shared/domain/distance'
import { call } from '../../api/client'
import { fieldFailure } from '../../api/failure-text'
import { now } from '../../ui/values/clock'
import { dayOf, parseDateInput } from '../../state/date-input'
import { notifyDone } from '../../state/notices'
import { usePreferences } from '../../state/preferences'
import { AmountField } from '../../ui/form/amount-text'
import { DraftForm } from '../../ui/form/draft-form'
import { DayField } from '../../ui/form/fields'
import { SearchSelect } from '../../ui/form/search-select'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { formatAbsolute, formatRate } from '../../ui/values/format'
import classes from './settings.module.css'
import { keyRoots } from '../../api/keys'

type Shown = DistanceRuleRepresentation

/** What an organization pays for distances: a form for the rate of some day on, and from when each rate holds. */
export function DistanceRules({ rules, ownCurrency }: { rules: readonly Shown[]; ownCurrency: string }) {
  const { t } = useTranslation('settings')
  const { language, timezone } = usePreferences()
  const today = dayOf(now(), timezone)
  const current = ruleOn(rules, today)
  const shown = current ?? rules.at(-1)
  if (!shown) return null
  return (
    <>
      <DistanceForm rule={shown} ownCurrency={ownCurrency} today={today} />
      {rules.some(({ valid_from }) => valid_from !== null) && (
        <ul className={classes.list} aria-label={t('organization.rates')}>
          {rules.map((rule) => (
            <li key={rule.id} className={classes.item}>
              <span className={classes.itemName}>
                {rule.valid_from === null
                  ? t('organization.before')
                  : t('organization.from', { day: formatAbsolute(`${rule.valid_from}T00:00:00Z`, { language, timezone, now: now() }) })}
              </span>
              {rule === current && <Badge variant="light">{t('organization.current')}</Badge>}
              <span className="tabular">{`${formatRate(rule, language)} / ${rule.distance_kind}`}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type DistanceRuleWriting = {
  readonly amount: string
  readonly currency: string
  readonly kind: DistanceRuleRepresentation['distance_kind']
  readonly from: string
}

const rateProblems = {
  not_a_number: 'organization.notAnAmount',
  too_precise: 'organization.tooPrecise',
  too_large: 'organization.tooLarge',
  not_positive: 'organization.notPositive',
} as const
const ruleWords: Readonly<Record<string, string>> = {
  currency: 'profile.currency',
  kind: 'organization.unit',
  from: 'organization.validFrom',
}

/** If no rate is set, the form begins with the admin's own currency and no amount: the default rate is the contract's, shown beneath. */
function DistanceForm({ rule, ownCurrency, today }: { rule: Shown; ownCurrency: string; today: string }) {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const language = usePreferences((state) => state.language)
  const isForeignDefault = rule.id === null && rule.currency !== ownCurrency
  const draft = useFormDraft<DistanceRuleWriting>({
    form: 'distance-rule-edit',
    record: rule.organization_id,
    stored: {
      amount: isForeignDefault ? '' : writeDecimal(String(rule.amount), { language, decimals: rateDecimals }),
      currency: isForeignDefault ? ownCurrency : rule.currency,
      kind: rule.distance_kind,
      from: rule.id === null ? '' : today,
    },
  })
  const { amount, currency, kind, from } = draft.value
  const day = parseDateInput(from, today)
  const parsed = parseRateInput(amount, { currency, language })
  const save = useMutation({
    mutationFn: (price: number) =>
      call(distanceRuleRoutes.set, {
        params: { organization_id: rule.organization_id },
        body: { amount: price, currency, distance_kind: kind, valid_from: day.kind === 'ok' ? day.date : null },
      }),
    onSuccess: async () => {
      draft.done()
      await client.invalidateQueries({ queryKey: [...keyRoots.distanceRules, rule.organization_id] })
      notifyDone(t('saved'))
    },
  })
  const submit = () => {
    if (parsed.kind === 'ok') save.mutate(parsed.amount)
  }
  return (
    <DraftForm
      draft={draft}
      words={{ name: (field) => t(ruleWords[field] ?? 'organization.distance') }}
      className={classes.fieldRow}
      onSubmit={submit}
    >
      <AmountField
        className={classes.grow}
        label={t('organization.distance')}
        of={{ kind: 'rate', text: amount, currency }}
        placeholder={isForeignDefault ? t('organization.rate') : undefined}
        emptyNote={isForeignDefault && t('organization.noRate', { rate: formatRate(rule, language), unit: rule.distance_kind })}
        error={
          parsed.kind === 'ok' || parsed.kind === 'empty'
            ? fieldFailure(save.error, 'amount')
            : t(rateProblems[parsed.kind], { decimals: rateDecimals })
        }
        onText={(text) => draft.change({ amount: text })}
      />
      <SearchSelect
        w={104}
        aria-label={t('profile.currency')}
        value={currency}
        data={currencyChoices(currency)}
        onChange={(code) => draft.change({ currency: code })}
      />
      <Select
        w={88}
        aria-label={t('organization.unit')}
        value={kind}
        data={distanceKinds.map((known) => ({ value: known, label: `/ ${known}` }))}
        allowDeselect={false}
        onChange={(value) => {
          const chosen = distanceKinds.find((known) => known === value)
          if (chosen) draft.change({ kind: chosen })
        }}
      />
      <div className={classes.grow}>
        <DayField
          label={t('organization.validFrom')}
          text={from}
          onText={(text) => draft.change({ from: text })}
          error={fieldFailure(save.error, 'valid_from')}
        />
        <p className={classes.quiet}>{t('organization.validFromHint')}</p>
      </div>
      <Button type="submit" variant="default" loading={save.isPending} disabled={parsed.kind !== 'ok' || day.kind === 'not_a_date'}>
        {t('save')}
      </Button>
    </DraftForm>
  )
}
