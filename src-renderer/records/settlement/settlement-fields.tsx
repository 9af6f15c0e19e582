import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../../state/preferences'
import type { SettlementChoices } from '../../state/settlement-choices'
import type { SettlementField, SettlementForm, SettlementWriting } from '../../state/settlement-form'
import { dayOf } from '../../state/date-input'
import { now } from '../../ui/values/clock'
import { DayField, MoneyField, PersonSelect, TagsField } from '../../ui/form/fields'
import { submitOnEnter } from '../../ui/form/submit-on-enter'
import classes from './settlement-fields.module.css'

/** How the user writes amounts and days at this moment. */
export function useSettlementWriting(): SettlementWriting {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  return { language, timezone, today: dayOf(now(), timezone) }
}

/** The input fields of a settlement. `errors` are in the user's language; `beneathAmount` is under the amount. */
export type SettlementFieldsProps = {
  form: SettlementForm
  onChange: (part: Partial<SettlementForm>) => void
  errors: Readonly<Partial<Record<SettlementField, string>>>
  choices: SettlementChoices
  dateLabel?: string
  /** Who receives and in which currency is settled already. */
  isPartyFixed?: boolean
  /** Only what a devolution has: amount and date. */
  isPlain?: boolean
  beneathAmount?: ReactNode
}

/** The fields of a reimbursement, an advancement or a devolution. */
export function SettlementFields({
  form,
  onChange,
  errors,
  choices,
  dateLabel,
  isPartyFixed = false,
  isPlain = false,
  beneathAmount,
}: SettlementFieldsProps) {
  const { t } = useTranslation('ui')
  return (
    <div className={classes.fields}>
      {!isPartyFixed && (
        <PersonSelect
          label={t('field.receiver')}
          people={choices.people}
          value={form.receiver_id}
          onChange={(receiver_id) => onChange({ receiver_id })}
          error={errors.receiver_id}
        />
      )}
      <div className={classes.pair}>
        <div>
          <MoneyField
            amount={form.amount}
            currency={form.currency}
            onAmount={(amount) => onChange({ amount })}
            onCurrency={(currency) => onChange({ currency })}
            isCurrencyFixed={isPartyFixed}
            error={errors.amount}
            currencyError={errors.currency}
          />
          {beneathAmount}
        </div>
        <DayField label={dateLabel} text={form.date} onText={(date) => onChange({ date })} error={errors.date} />
      </div>
      {!isPlain && (
        <div className={classes.pair}>
          <Textarea
            label={t('field.description')}
            value={form.description}
            onChange={(event) => onChange({ description: event.currentTarget.value })}
            onKeyDown={submitOnEnter}
            error={errors.description}
            autosize
            minRows={1}
            maxRows={6}
            data-field="description"
          />
          <TagsField
            tags={form.tags}
            onTags={(tags) => onChange({ tags })}
            names={choices.tags}
            isRestricted={choices.isTagRestricted}
            error={errors.tags}
          />
        </div>
      )}
    </div>
  )
}
