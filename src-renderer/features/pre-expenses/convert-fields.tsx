import { Checkbox, Select, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Session } from '#shared/contract/instance/instance'
import type { PreExpense } from '#shared/contract/pre-expenses'
import { formFailures } from '../../api/failure-text'
import { useUsableTags } from '../../api/tags'
import { convertPreExpense } from '../../api/pre-expenses'
import { dayOf } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { DraftRepeats } from '../../records/expense/draft-repeats'
import { DraftVerdict, type Verdict, lacksReason, useVerdict, wantsReason } from '../../records/expense/draft-verdict'
import type { FieldWords } from '../../ui/form/draft-notice'
import { useFocusBack } from '../../ui/form/use-focus-back'
import { DayField, MoneyField, TagsField } from '../../ui/form/fields'
import { PaneForm } from '../../ui/form/pane-form'
import { submitOnEnter } from '../../ui/form/submit-on-enter'
import { useFormDraft } from '../../ui/form/use-form-draft'
import { type ConvertForm, readConvertForm, toConvertForm } from './convert-form'

/** What the form is given. `onDone`: it is an expense now. */
export type ConvertFieldsProps = { pre_expense: PreExpense; session: Session; onDone: () => void; onCancel: () => void }

const shownAttributes = new Set(['payer', 'amount', 'currency', 'occurred_at', 'description', 'tags', 'justification'])

/** What a conversion needs, filled with what the pre-expense knows: Enter converts, Escape goes back. */
export function ConvertFields({ pre_expense, session, onDone, onCancel }: ConvertFieldsProps) {
  const { t } = useTranslation('pre-expenses')
  const { t: tUi } = useTranslation('ui')
  const { t: tExpense } = useTranslation('expense')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const organizationId = usePreferences((state) => state.organizationId)
  const writing = { language, timezone, today: dayOf(now(), timezone) }
  const fallback = { payer_id: organizationId, currency: session.user.default_currency }
  const before = toConvertForm(pre_expense, fallback, writing)
  const draft = useFormDraft<ConvertForm>({ form: 'pre-expense-convert', record: pre_expense.id, stored: before })
  const form = draft.value
  const verdict = useVerdict(form.payer_id, {
    ...form,
    ...{ kind: 'monetary', distance: '', distance_kind: null, day: form.date, location: '' },
    ...{ supplier_name: '', receipts: 0, invoices: [], receiver_id: null, pre_expense_id: pre_expense.id },
  })
  const { errors, submit, isSending, clear } = useConversion({
    lacksReason: lacksReason(verdict),
    pre_expense,
    before,
    form,
    writing,
    onDone: () => {
      draft.done()
      onDone()
    },
  })
  const payer = session.memberships.find(({ organization }) => organization.id === form.payer_id)?.organization
  const tagNames = useUsableTags(form.payer_id)
  const change = (part: Partial<ConvertForm>) => {
    clear()
    draft.change(part)
  }
  useFocusBack()
  const fieldWords: FieldWords = {
    name: (field) =>
      field === 'payer_id'
        ? t('convert.payer')
        : field === 'isThroughAdvancement'
          ? t('convert.throughAdvancement')
          : tUi(`field.${field}`),
    value: (field, value) =>
      field === 'payer_id' ? session.memberships.find(({ organization }) => organization.id === value)?.organization.name : undefined,
  }
  const others = Object.entries(errors).filter(([name]) => !shownAttributes.has(name))
  return (
    <PaneForm
      draft={draft}
      words={fieldWords}
      label={t('convert.title')}
      error={others.length > 0 ? others.map(([, text]) => text).join(' ') : undefined}
      isSending={isSending}
      submitLabel={t('convert.submit')}
      focus="[data-field=amount]"
      onSubmit={submit}
      onCancel={onCancel}
    >
      {(session.memberships.length > 1 || !payer) && (
        <Select
          label={t('convert.payer')}
          value={form.payer_id === null ? null : String(form.payer_id)}
          data={session.memberships.map(({ organization }) => ({
            value: String(organization.id),
            label: organization.name,
            disabled: organization.expired,
          }))}
          allowDeselect={false}
          error={errors.payer}
          onChange={(value) => {
            if (value !== null) change({ payer_id: Number(value) })
          }}
        />
      )}
      <MoneyField
        amount={form.amount}
        currency={form.currency}
        onAmount={(amount) => change({ amount })}
        onCurrency={(currency) => change({ currency })}
        error={errors.amount}
        currencyError={errors.currency}
      />
      <DayField text={form.date} onText={(date) => change({ date })} error={errors.occurred_at} />
      <Textarea
        label={tUi('field.description')}
        value={form.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
        onKeyDown={submitOnEnter}
        error={errors.description}
        autosize
        minRows={1}
        maxRows={6}
      />
      <TagsField
        tags={form.tags}
        onTags={(tags) => change({ tags })}
        names={tagNames}
        isRestricted={payer?.restricted_tags ?? false}
        error={errors.tags}
      />
      {(wantsReason(verdict) || form.justification !== '') && (
        <TextInput
          label={tExpense('fields.justification')}
          value={form.justification}
          onChange={(event) => change({ justification: event.currentTarget.value })}
          error={errors.justification}
          data-field="justification"
        />
      )}
      <Checkbox
        label={t('convert.throughAdvancement')}
        checked={form.isThroughAdvancement}
        onChange={(event) => change({ isThroughAdvancement: event.currentTarget.checked })}
      />
      <ConvertNotes form={form} verdict={verdict} />
    </PaneForm>
  )
}

/** The expenses that the new one may repeat, and what policies find. */
function ConvertNotes({ form, verdict }: { form: ConvertForm; verdict: Verdict }) {
  const { payer_id, date } = form
  const unknown = { receiver_id: null, supplier_name: '', supplier_tax_id: '', files: [], invoice_keys: [], capture_ids: [] }
  return (
    <>
      {payer_id !== null && <DraftRepeats organizationId={payer_id} draft={{ ...form, ...unknown, kind: 'monetary', day: date }} />}
      <DraftVerdict verdict={verdict} booking={{ organizationId: payer_id, day: date }} />
    </>
  )
}

type ConversionInput = {
  /** A policy asks why, and the form does not say. */
  lacksReason: boolean
  pre_expense: PreExpense
  before: ConvertForm
  form: ConvertForm
  writing: Parameters<typeof readConvertForm>[2]
  onDone: () => void
}

/** Sends the form; returns errors by the contract's name of the attribute. */
function useConversion({ lacksReason, pre_expense, before, form, writing, onDone }: ConversionInput) {
  const { t: tUi } = useTranslation('ui')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isSending, setSending] = useState(false)
  const submit = () => {
    const reading = readConvertForm(before, form, writing)
    if (reading.kind === 'invalid')
      return setErrors(Object.fromEntries(Object.entries(reading.problems).map(([name, code]) => [name, tUi(`problem.${code}`)])))
    if (lacksReason) return setErrors({ justification: tUi('problem.reason') })
    setSending(true)
    convertPreExpense(pre_expense, reading.body)
      .then(onDone, (error: unknown) => setErrors(formFailures(error)))
      .finally(() => setSending(false))
  }
  return { errors, submit, isSending, clear: () => setErrors({}) }
}
