import { NativeSelect, Radio, TagsInput, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { currencyChoices } from '#shared/domain/currencies'
import { type PlainField, plainFields } from '#shared/records/expense'
import { AmountField } from '../../ui/form/amount-text'
import { submitOnEnter } from '../../ui/form/submit-on-enter'
import { Instant } from '../../ui/values/instant'
import { readForm, toForm, type ExpenseField, type ExpenseForm, type Writing } from './expense-form'
import classes from './expense.module.css'
import { useMembers } from '../../api/organization-lists'
import { useUsableTags } from '../../api/tags'
import { CardField } from '../../records/expense/card-field'
import { SupplierField } from '../../records/expense/supplier-field'

/** The errors, by field; `form` belongs to none. */
export type FormErrors = Readonly<Partial<Record<ExpenseField | 'form', string>>>

/** The props of the fields. `expense`: as it was when editing began. */
export type EditFieldsProps = {
  expense: Expense
  form: ExpenseForm
  errors: FormErrors
  writing: Writing
  canNameReceiver: boolean
  /** Whether a policy asks why. */
  wantsReason: boolean
  onChange: (changes: Partial<ExpenseForm>) => void
  beneathDay?: ReactNode
}

/** The input fields of an expense, each with its error next to it and its interpretation under it. */
export function EditFields({ expense, form, errors, writing, canNameReceiver, wantsReason, onChange, beneathDay }: EditFieldsProps) {
  const { t } = useTranslation('expense')
  const tags = useUsableTags(expense.payer.id)
  const text = (name: ExpenseField & ('description' | 'occurred_at' | 'distance' | 'origin' | 'destination' | PlainField)) => ({
    label: t(`fields.${name}`),
    value: form[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  })
  const isDistance = expense.kind === 'distance'
  return (
    <>
      <Textarea {...text('description')} autosize minRows={1} maxRows={4} autoFocus onKeyDown={submitOnEnter} />
      {!isDistance && (
        <div className={classes.formLine}>
          <AmountField
            label={t('fields.amount')}
            className={classes.grow}
            of={{ kind: 'amount', text: form.amount, currency: form.currency }}
            error={errors.amount}
            onText={(amount) => onChange({ amount })}
          />
          <NativeSelect
            size="xs"
            label={t('fields.currency')}
            value={form.currency}
            error={errors.currency}
            data={currencyChoices(form.currency)}
            onChange={(event) => onChange({ currency: event.currentTarget.value })}
          />
        </div>
      )}
      <TextInput
        {...text('occurred_at')}
        description={<UnderstoodDay expense={expense} form={form} writing={writing} />}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      {beneathDay}
      <TagsInput
        label={t('fields.tags')}
        value={[...form.tags]}
        error={errors.tags}
        data={tags}
        splitChars={[';']}
        size="xs"
        acceptValueOnBlur
        onChange={(value) => onChange({ tags: value })}
      />
      {plainFields.map((name) =>
        name === 'justification' && !wantsReason && form.justification === '' ? null : name === 'supplier_name' ? (
          <SupplierField key={name} supplier={form} organizationId={expense.payer.id} error={errors.supplier_name} onChange={onChange} />
        ) : (
          <TextInput key={name} {...text(name)} />
        ),
      )}
      {!isDistance && (
        <CardField
          organizationId={expense.payer.id}
          receiverId={Number(form.receiver)}
          value={form.corporative_card_id === '' ? null : Number(form.corporative_card_id)}
          error={errors.corporative_card_id}
          onChange={(id) => onChange({ corporative_card_id: String(id ?? '') })}
        />
      )}
      {isDistance && <DistanceInputs text={text} form={form} errors={errors} onChange={onChange} />}
      {canNameReceiver && <ReceiverSelect expense={expense} form={form} error={errors.receiver} onChange={onChange} />}
      <Radio.Group
        label={t('fields.liquidate_through_advancement')}
        value={form.liquidate_through_advancement ? 'advancement' : 'reimbursement'}
        error={errors.liquidate_through_advancement}
        size="xs"
        onChange={(value) => onChange({ liquidate_through_advancement: value === 'advancement' })}
      >
        <div className={classes.radios}>
          <Radio size="xs" value="reimbursement" label={t('fields.throughReimbursement')} />
          <Radio size="xs" value="advancement" label={t('fields.throughAdvancement')} />
        </div>
      </Radio.Group>
    </>
  )
}

/** The interpretation of the day's text, while it differs from the stored day. */
function UnderstoodDay({ expense, form, writing }: Pick<EditFieldsProps, 'expense' | 'form' | 'writing'>) {
  const before = toForm(expense, writing)
  const read = readForm(before, { ...before, occurred_at: form.occurred_at }, writing)
  const value = read.kind === 'ok' ? read.changes.occurred_at : undefined
  return typeof value === 'string' ? <Instant value={`${value}T00:00:00Z`} /> : null
}

function DistanceInputs({
  text,
  form,
  errors,
  onChange,
}: Pick<EditFieldsProps, 'form' | 'errors' | 'onChange'> & { text: (name: 'distance' | 'origin' | 'destination') => object }) {
  const { t } = useTranslation('expense')
  return (
    <>
      <div className={classes.formLine}>
        <TextInput {...text('distance')} className={classes.grow} inputMode="decimal" />
        <NativeSelect
          size="xs"
          label={t('fields.distance_kind')}
          value={form.distance_kind}
          error={errors.distance_kind}
          data={['km', 'mi']}
          onChange={(event) => onChange({ distance_kind: event.currentTarget.value })}
        />
      </div>
      <TextInput {...text('origin')} />
      <TextInput {...text('destination')} />
      <p className={classes.hint}>{t('edit.priced')}</p>
    </>
  )
}

function ReceiverSelect({
  expense,
  form,
  error,
  onChange,
}: Pick<EditFieldsProps, 'expense' | 'form' | 'onChange'> & { error: string | undefined }) {
  const { t } = useTranslation('expense')
  const members = useMembers(expense.payer.id)
  const isListed = members.some(({ id }) => id === expense.receiver.id)
  const people = isListed ? members : [{ id: expense.receiver.id, name: expense.receiver.name }, ...members]
  return (
    <NativeSelect
      size="xs"
      label={t('fields.receiver')}
      value={form.receiver}
      error={error}
      data={people.map(({ id, name }) => ({ value: String(id), label: name }))}
      onChange={(event) => onChange({ receiver: event.currentTarget.value })}
    />
  )
}
