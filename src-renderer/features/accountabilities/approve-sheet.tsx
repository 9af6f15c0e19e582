import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { ConfirmSheet } from '../../ui/feedback/confirm-sheet'
import classes from './accountabilities.module.css'
import { countByStatus } from './approvals'
import { Totals, totalsOf } from './totals'

/** Shows, before several expenses are approved, their count and sum, and which stay unchanged. */
export function ApproveSheet({
  expenses,
  staying,
  isWhole = false,
  onConfirm,
  onCancel,
}: {
  expenses: readonly Expense[]
  staying: readonly Expense[]
  /** The accountability is approved with them. */
  isWhole?: boolean
  onConfirm: () => void
  onCancel: () => void
}) {
  const { t } = useTranslation(['accountabilities', 'status'])
  const parts = countByStatus(staying).map(({ status, count }) =>
    t('accountabilities:hindrance.part', { count, status: t(`status:${status}`).toLocaleLowerCase() }),
  )
  return (
    <ConfirmSheet
      title={t('accountabilities:approve.title', { count: expenses.length })}
      confirmLabel={t(isWhole ? 'accountabilities:step.approved' : 'accountabilities:approve.confirm')}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div className={classes.plan}>
        <Totals totals={totalsOf(expenses)} />
        {staying.length > 0 && (
          <p className={classes.quiet}>{t('accountabilities:approve.staying', { count: staying.length, reasons: parts.join(', ') })}</p>
        )}
      </div>
    </ConfirmSheet>
  )
}
