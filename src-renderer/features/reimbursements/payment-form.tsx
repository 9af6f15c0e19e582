import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { fromMinor } from '#shared/domain/money'
import { type Due, usePay } from '../../api/reimbursements'
import { parseAmountInput, writeAmount } from '#shared/domain/amount-text'
import { usePreferences } from '../../state/preferences'
import { useSettlementChoices } from '../../state/settlement-choices'
import { type SettlementForm, type SettlementValues, writeDay } from '../../state/settlement-form'
import { DraftForm } from '../../ui/form/draft-form'
import { formatMoney, type Money } from '../../ui/values/format'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { KeyHint } from '../../ui/keys/key-hint'
import { FormError } from '../../ui/form/pane-form'
import { SettlementFields, useSettlementWriting } from '../../records/settlement/settlement-fields'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { useRecordSettlement } from '../../records/settlement/use-record-settlement'
import { type SettlementDraft, useSettlementForm } from '../../records/settlement/use-settlement-form'
import { compareWithSum, sumApproved, type PayableExpense } from './payment-sum'
import classes from './reimbursements.module.css'

/** A payment being edited: with a typed amount or the sum, and without the expenses whose uids are `left` out. */
export type PaymentWriting = SettlementForm & { readonly isOwnAmount: boolean; readonly left: readonly string[] }

/** Keeps a payment while it is written. */
export function usePaymentDraft({ payer_id, receiver_id, currency }: Due): SettlementDraft<PaymentWriting> {
  const { today } = useSettlementWriting()
  const blank = { amount: '', description: '', tags: [], isOwnAmount: false, left: [] }
  return useSettlementForm<PaymentWriting>({
    form: 'payment-new',
    record: `${payer_id} ${receiver_id} ${currency}`,
    stored: { ...blank, receiver_id, currency, date: writeDay(today) },
  })
}

type PaymentFormProps = {
  due: Due
  draft: SettlementDraft<PaymentWriting>
  chosen: readonly PayableExpense[]
  /** How many there are to choose from. */
  total: number
  /** Several people are chosen: the key pays them instead. */
  isBatch: boolean
  onPaid: (reimbursement: Reimbursement) => void
  /** A payment is on its way; undefined comes of one that was refused. */
  onPay: (paid: Money, paying: Promise<Reimbursement | undefined>) => void
}

/** The payment for the chosen expenses: their sum, unless another amount is typed; day, description and tags. */
export function PaymentForm({ due, draft, chosen, total, isBatch, onPaid, onPay }: PaymentFormProps) {
  const { t } = useTranslation('reimbursements')
  const writing = useSettlementWriting()
  const choices = useSettlementChoices()
  const display = usePreferences((state) => state.currencyDisplay)
  const { language } = writing
  const formRef = useRef<HTMLFormElement>(null)
  const [asked, setAsked] = useState<(SettlementValues & { expense_ids: readonly number[] }) | null>(null)
  const sum = sumApproved(chosen).find(({ currency }) => currency === due.currency)
  const sumText = writeAmount(sum?.amount ?? 0, { currency: due.currency, language })
  const { isOwnAmount } = draft.form
  const amount = isOwnAmount ? draft.form.amount : sumText
  const record = usePay()
  const send = useRecordSettlement(record, draft)
  const money = (value: number) => formatMoney({ amount: value, currency: due.currency }, { language, display })
  const typed = parseAmountInput(amount, { currency: due.currency, language })
  const write = (minor: number) => money(fromMinor(minor, due.currency))
  const difference = typed.kind === 'ok' && sum && <Difference paid_minor={typed.amount_minor} sum_minor={sum.amount_minor} write={write} />
  const canPay = chosen.length > 0 && !record.isPending
  const submit = () => {
    const values = canPay ? draft.read({ amount }) : undefined
    if (values) setAsked({ ...values, expense_ids: chosen.map(({ id }) => id) })
  }
  const pay = () => {
    setAsked(null)
    if (asked) onPay(asked, send({ ...asked, payer: { id: due.payer_id, type: 'Organization' } }, onPaid))
  }
  useShortcuts({ scope: 'pay', title: t('pay.label') }, [
    { id: 'pay', keys: 'p', label: t('pay.action'), form: 'payment-new', run: submit, when: () => canPay && !isBatch && asked === null },
    {
      id: 'amount',
      keys: 'e',
      form: 'payment-new',
      label: t('pay.otherAmount'),
      run: () => formRef.current?.querySelector<HTMLInputElement>('[data-field=amount]')?.select(),
    },
  ])
  return (
    <>
      {asked && (
        <ConfirmSheet
          title={t('pay.ask', { amount: money(asked.amount), name: due.name })}
          confirmLabel={t('pay.confirm', { count: 1 })}
          onConfirm={pay}
          onCancel={() => setAsked(null)}
        >
          <p className={classes.sheetText}>{t('pay.covers', { count: asked.expense_ids.length })}</p>
          {difference}
        </ConfirmSheet>
      )}
      <DraftForm draft={draft.draft} formRef={formRef} className={classes.form} onSubmit={submit} aria-label={t('pay.label')}>
        <div className={classes.selected}>
          <span>{t('pay.chosen', { count: chosen.length, total })}</span>
          <strong>{money(sum?.amount ?? 0)}</strong>
        </div>
        <SettlementFields
          form={{ ...draft.form, amount }}
          onChange={(part) => {
            const { amount: typedAmount } = part
            const own = typedAmount === undefined ? {} : { isOwnAmount: typedAmount !== sumText }
            draft.change({ ...part, ...own, ...(own.isOwnAmount === false ? { amount: '' } : {}) })
          }}
          errors={draft.errors}
          choices={choices}
          isPartyFixed
        />
        {difference}
        <FormError error={draft.errors.form} />
        <div className={classes.actions}>
          {isOwnAmount && (
            <Button variant="subtle" color="gray" onClick={() => draft.change({ isOwnAmount: false, amount: '' })}>
              {t('pay.useSum')}
            </Button>
          )}
          <Button type="submit" disabled={!canPay} loading={record.isPending} rightSection={<KeyHint keys="p" />}>
            {chosen.length === 0 ? t('pay.none') : t('pay.amount', { amount: typed.kind === 'ok' ? money(typed.amount) : amount })}
          </Button>
        </div>
      </DraftForm>
    </>
  )
}

function Difference({ paid_minor, sum_minor, write }: { paid_minor: number; sum_minor: number; write: (minor: number) => string }) {
  const { t } = useTranslation('reimbursements')
  const difference = compareWithSum(paid_minor, sum_minor)
  if (difference.kind === 'same') return null
  return (
    <p className={classes.differs} role="status">
      {t(`pay.${difference.kind}`, { amount: write(difference.amount_minor), sum: write(sum_minor) })}
    </p>
  )
}
