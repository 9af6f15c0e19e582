import { useTranslation } from 'react-i18next'
import { type Due, useAllJoinable } from '../../api/reimbursements'
import { failureText } from '../../api/failure-text'
import { usePreferences } from '../../state/preferences'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import { formatMoney, type Money } from '../../ui/values/format'
import { sumMoney } from '../../ui/values/sums'
import { dueName } from './dues'
import { sumApproved } from './payment-sum'
import classes from './reimbursements.module.css'

/** A payment to one person in one currency: the sum of these expenses. */
export type PlannedPayment = Money & { readonly due: Due; readonly expense_ids: readonly number[] }

/** Asks before several people, or one, are paid: each with the sum, and a total for every currency. */
export function PaySheet({
  dues,
  onPay,
  onCancel,
}: {
  dues: readonly Due[]
  onPay: (payments: readonly PlannedPayment[]) => void
  onCancel: () => void
}) {
  const { t } = useTranslation('reimbursements')
  const language = usePreferences((state) => state.language)
  const display = usePreferences((state) => state.currencyDisplay)
  const queries = useAllJoinable(dues)
  const money = (value: Money) => formatMoney(value, { language, display })
  const failure = queries.find(({ error, data }) => error !== null && data === undefined)?.error
  const isRead = queries.every(({ data }) => data !== undefined)
  const payments = dues.flatMap((due, index): PlannedPayment[] => {
    const expenses = queries[index]?.data?.expenses ?? []
    const sum = sumApproved(expenses).find(({ currency }) => currency === due.currency)
    return sum ? [{ due, amount: sum.amount, currency: due.currency, expense_ids: expenses.map(({ id }) => id) }] : []
  })
  const [only] = payments
  const title =
    only && payments.length === 1 ? t('pay.ask', { amount: money(only), name: only.due.name }) : t('pay.askMany', { count: dues.length })
  return (
    <ConfirmSheet
      title={title}
      confirmLabel={t('pay.confirm', { count: payments.length })}
      isWaiting={!isRead || payments.length === 0}
      onConfirm={() => onPay(payments)}
      onCancel={onCancel}
    >
      {failure && <p className={classes.sheetText}>{failureText(failure)}</p>}
      <dl className={classes.payments}>
        {payments.map((payment) => (
          <div key={dueName(payment.due)}>
            <dt>
              {payment.due.name} <span className={classes.quiet}>{t('pay.covers', { count: payment.expense_ids.length })}</span>
            </dt>
            <dd className="tabular">{money(payment)}</dd>
          </div>
        ))}
        {payments.length > 1 &&
          sumMoney(payments).map((total) => (
            <div key={total.currency} data-total>
              <dt>{t('pay.total', { currency: total.currency })}</dt>
              <dd className="tabular">{money(total)}</dd>
            </div>
          ))}
      </dl>
    </ConfirmSheet>
  )
}
