import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { parseAmountInput } from '#shared/domain/amount-text'
import { formFailures } from '../../api/failure-text'
import { type NewPreExpenseBody, createPreExpense } from '../../api/pre-expenses'
import { dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { DayField, MoneyField } from '../../ui/form/fields'
import { FutureDay, useFutureDay } from '../../ui/form/future-day'
import { PaneForm } from '../../ui/form/pane-form'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { PaneHead } from '../../ui/panes/pane-head'
import { now } from '../../ui/values/clock'
import classes from './pre-expenses.module.css'

type NewForm = { readonly description: string; readonly amount: string; readonly currency: string; readonly date: string }
type Errors = Readonly<Record<string, string>>

/** Notes an expense to come, of which amount and day may still be missing. */
export function NewPreExpense({
  session,
  onSaved,
  onClose,
}: {
  session: Session
  onSaved: (pre_expense: PreExpense) => void
  onClose: () => void
}) {
  const { t } = useTranslation('pre-expenses')
  const { t: tUi } = useTranslation('ui')
  const draft = useFormDraft<NewForm>({
    form: 'pre-expense-new',
    record: '',
    stored: { description: '', amount: '', currency: session.user.default_currency, date: '' },
  })
  const form = draft.value
  const futureDay = useFutureDay(form.date)
  const { errors, setErrors, isSending, send } = useCreation((pre_expense) => {
    draft.done()
    onSaved(pre_expense)
  })
  const read = useReading(form)
  const change = (part: Partial<NewForm>) => {
    setErrors({})
    draft.change(part)
  }
  const submit = ({ isDayKept = false } = {}) => {
    if (read.kind === 'invalid')
      return setErrors(Object.fromEntries(Object.entries(read.problems).map(([name, code]) => [name, tUi(`problem.${code}`)])))
    if (isDayKept || !futureDay.ask()) send(read.body)
  }
  return (
    <>
      <PaneHead title={t('new.title')} onClose={onClose} />
      <div className={classes.body}>
        <PaneForm
          draft={draft}
          label={t('new.title')}
          error={errors.message}
          isSending={isSending}
          submitLabel={t('new.submit')}
          focus="[data-field=description]"
          onSubmit={() => submit()}
          onCancel={onClose}
        >
          <TextInput
            label={tUi('field.description')}
            value={form.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
            error={errors.description}
            data-field="description"
          />
          <MoneyField
            amount={form.amount}
            currency={form.currency}
            onAmount={(amount) => change({ amount })}
            onCurrency={(currency) => change({ currency })}
            error={errors.amount}
            currencyError={errors.currency}
          />
          <DayField text={form.date} onText={(date) => change({ date })} error={errors.occurred_at} />
          <FutureDay
            question={futureDay}
            onKeep={() => {
              futureDay.keep()
              if (futureDay.isAsked) submit({ isDayKept: true })
            }}
          />
          <p className={classes.hint}>{t('new.hint')}</p>
        </PaneForm>
      </div>
    </>
  )
}

/** What a form says, or why its fields mean nothing. */
function useReading({ description, amount, currency, date }: NewForm) {
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const money = parseAmountInput(amount, { currency, language })
  const day = parseDateInput(date, dayOf(now(), timezone))
  const problems = {
    ...(description.trim() === '' && { description: 'blank' }),
    ...(money.kind !== 'ok' && money.kind !== 'empty' && { amount: money.kind }),
    ...(day.kind === 'not_a_date' && { occurred_at: day.kind }),
  }
  if (Object.keys(problems).length > 0) return { kind: 'invalid', problems } as const
  const body: NewPreExpenseBody = {
    description: description.trim(),
    ...(money.kind === 'ok' && { amount: money.amount, currency }),
    ...(day.kind === 'ok' && { occurred_at: day.date }),
  }
  return { kind: 'ok', body } as const
}

/** Sends a form; returns errors by the contract's name of the attribute. */
function useCreation(onDone: (pre_expense: PreExpense) => void) {
  const [errors, setErrors] = useState<Errors>({})
  const [isSending, setSending] = useState(false)
  const send = (body: NewPreExpenseBody) => {
    setSending(true)
    createPreExpense(body)
      .then(onDone, (error: unknown) => setErrors(formFailures(error)))
      .finally(() => setSending(false))
  }
  return { errors, setErrors, isSending, send }
}
