import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { DistanceRuleRepresentation } from '#shared/contract/distance-rules'
import { parseDistance } from '#shared/domain/amount-text'
import { distanceAmountMinor, distanceKinds, parseRate, ruleOn } from '#shared/domain/distance'
import { fromMinor } from '#shared/domain/money'
import { useDistanceRules } from '../../api/distance-rules'
import { now } from '../../ui/values/clock'
import { dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { formatMoney, formatRate } from '../../ui/values/format'
import classes from './capture.module.css'
import { PlaceField, type FieldProps } from './form-fields'

/** From, to, how far, and what the organization's rule makes of it. */
export function DistanceFields({
  form,
  change,
  errorOf,
  isDisabled,
  places,
}: Omit<FieldProps, 'error'> & { errorOf: (attribute: string) => string | undefined; places: readonly string[] }) {
  const { t } = useTranslation('capture')
  const field = { form, change, isDisabled, places }
  return (
    <>
      <PlaceField {...field} name="origin" error={errorOf('origin')} />
      <PlaceField {...field} name="destination" error={errorOf('destination')} />
      <div className={classes.pair}>
        <TextInput
          label={t('field.distance')}
          value={form.distance}
          onChange={(event) => change({ distance: event.currentTarget.value })}
          inputMode="decimal"
          autoComplete="off"
          error={errorOf('distance') ?? errorOf('amount')}
          disabled={isDisabled}
          data-field="distance"
          className="tabular"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          description={
            <span className={classes.understood}>
              <Worth form={form} />
            </span>
          }
          descriptionProps={{ component: 'div' }}
        />
        <Select
          label={t('field.distanceKind')}
          value={form.distance_kind}
          data={[...distanceKinds]}
          allowDeselect={false}
          disabled={isDisabled}
          onChange={(value) => {
            const kind = distanceKinds.find((known) => known === value)
            if (kind) change({ distance_kind: kind })
          }}
        />
      </div>
    </>
  )
}

/** The rate of the day, and once there is a distance the amount that it makes. */
function Worth({ form }: Pick<FieldProps, 'form'>) {
  const { t } = useTranslation('capture')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const { data: rules = [] } = useDistanceRules(form.payer_id)
  const today = dayOf(now(), timezone)
  const day = parseDateInput(form.date, today)
  const rule = ruleOn(rules, day.kind === 'ok' ? day.date : today)
  if (!rule) return null
  const money = (amount: number) => formatMoney({ amount, currency: rule.currency }, { language, display: 'code' })
  const rate = t('distance.rate', { rate: formatRate(rule, language), unit: rule.distance_kind })
  const distance = parseDistance(form.distance, language)
  const amount = distance === undefined ? undefined : amountOf(rule, distance, form.distance_kind)
  return amount === undefined ? rate : t('distance.worth', { rate, amount: money(amount) })
}

function amountOf(
  { amount, currency, distance_kind }: DistanceRuleRepresentation,
  distance: number,
  kind: 'km' | 'mi',
): number | undefined {
  const rate = parseRate(amount, currency)
  if (rate.kind !== 'ok') return undefined
  const worth = distanceAmountMinor(distance, kind, { ...rate, currency, distance_kind })
  return worth === undefined ? undefined : fromMinor(worth, currency)
}
