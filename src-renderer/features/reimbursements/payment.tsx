import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import type { Reimbursement } from '#shared/contract/reimbursements'
import { failureText } from '../../api/failure-text'
import { useUnfinishedAccountabilities } from '../../api/accountabilities'
import { type Due, useJoinable } from '../../api/reimbursements'
import { Amount } from '../../ui/values/amount'
import { EmptyState } from '../../ui/feedback/empty-state'
import { ErrorState } from '../../ui/feedback/error-state'
import type { Money } from '../../ui/values/format'
import { PaneHead } from '../../ui/panes/pane-head'
import { useShortcuts } from '../../ui/keys/shortcuts'
import { SkeletonRows } from '../../ui/feedback/skeleton-rows'
import { JoinableExpenses } from './joinable-expenses'
import { PaymentForm, usePaymentDraft } from './payment-form'
import classes from './reimbursements.module.css'

type PaymentProps = {
  due: Due
  isBatch: boolean
  onClose: () => void
  onPaid: (reimbursement: Reimbursement) => void
  onPay: (paid: Money, paying: Promise<Reimbursement | undefined>) => void
}

/** The expenses that can be paid to a person in a currency, all of them chosen at first, and the payment of the chosen ones. */
export function Payment({ due, isBatch, onClose, ...paid }: PaymentProps) {
  const { t } = useTranslation('reimbursements')
  const { data, error, refetch } = useJoinable({ payer_id: due.payer_id, receiver_id: due.receiver_id, currency: due.currency })
  useShortcuts({ scope: 'payment', title: t('pay.label') }, [{ id: 'close', keys: 'escape', label: t('close'), run: onClose }])
  return (
    <div className={classes.pane}>
      <PaneHead title={due.name} amount={<Amount amount={due.amount} currency={due.currency} />} onClose={onClose}>
        {t('pay.owed', { count: due.count })}
      </PaneHead>
      {error && !data && <ErrorState happened={t('pay.notRead')} kept={failureText(error)} onRetry={() => void refetch()} error={error} />}
      {!data && !error && <SkeletonRows count={8} />}
      {data && data.expenses.length === 0 && <EmptyState sentence={t('pay.nothing')} action={{ label: t('close'), run: onClose }} />}
      {data && data.expenses.length > 0 && <Choice due={due} isBatch={isBatch} expenses={byDay(data.expenses)} {...paid} />}
    </div>
  )
}

/** Oldest first, as they were spent. */
function byDay(expenses: readonly Expense[]): readonly Expense[] {
  return expenses.toSorted((a, b) => a.occurred_at.localeCompare(b.occurred_at) || a.id - b.id)
}

function Choice({ due, expenses, isBatch, ...paid }: Omit<PaymentProps, 'onClose'> & { expenses: readonly Expense[] }) {
  const { t } = useTranslation('reimbursements')
  const draft = usePaymentDraft(due)
  const left = new Set(draft.form.left)
  const chosen = expenses.filter(({ uid }) => !left.has(uid))
  const accountabilities = useUnfinishedAccountabilities(due)
  const inOne = chosen.filter(({ id }) => accountabilities.has(id)).length
  return (
    <>
      <JoinableExpenses
        expenses={expenses}
        left={left}
        accountabilities={accountabilities}
        onLeft={(uids) => draft.change({ left: [...uids] })}
      />
      {inOne > 0 && <p className={classes.foot}>{t('accountability.note', { count: inOne })}</p>}
      {expenses.length < due.count && <p className={classes.foot}>{t('pay.first', { count: due.count, shown: expenses.length })}</p>}
      <PaymentForm due={due} draft={draft} chosen={chosen} total={expenses.length} isBatch={isBatch} {...paid} />
    </>
  )
}
