import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { Expense } from '#shared/contract/expenses'
import { expenseKeys } from '#renderer/api/expenses'
import { StatusBadge } from '#renderer/ui/values/status-badge'
import { ReceiptViewer } from '../receipt-viewer/receipt-viewer'
import { useReceiptViewer } from '../receipt-viewer/use-receipt-viewer'
import classes from './repeats.module.css'

/** One of the two expenses: its number, its status and its receipts. */
export function PairSide({ expense, isThis }: { expense: Expense; isThis: boolean }) {
  const { t } = useTranslation('repeats')
  const queryClient = useQueryClient()
  const controls = useReceiptViewer(expense.id, expense.attachments)
  return (
    <section className={classes.side} aria-label={t('side', { id: expense.id })}>
      <div className={classes.sideHead}>
        <Link href={`/expenses/${expense.id}`} className={classes.link}>
          #{expense.id}
        </Link>
        {isThis && <span>{t('this')}</span>}
        <StatusBadge status={expense.status} />
        {expense.attachments.length === 0 && <span className={classes.nothing}>{t('noReceipt')}</span>}
      </div>
      {expense.attachments.length > 0 && (
        <div className={classes.receipt}>
          <ReceiptViewer
            attachments={expense.attachments}
            // Neither fills the window: it would cover the other.
            controls={{ ...controls, run: (command) => (command.kind === 'full' ? undefined : controls.run(command)) }}
            name={t('receiptOf', { id: expense.id })}
            empty={null}
            onRetry={() => void queryClient.invalidateQueries({ queryKey: expenseKeys.all })}
          />
        </div>
      )}
    </section>
  )
}
