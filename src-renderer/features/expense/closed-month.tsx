import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { bookedMonth, monthOf } from '#shared/domain/closing/months'
import { ClosedNotice } from '../../records/closed-notice'
import { usePreferences } from '../../state/preferences'
import { formatMonth } from '../../ui/values/format'
import classes from './expense.module.css'

/** Who closed the month of an expense and when, and that an expense arrived late. */
export function ClosedMonth({ expense, isClosed }: { expense: Expense; isClosed: boolean }) {
  const { t } = useTranslation('closings')
  const language = usePreferences((state) => state.language)
  const month = bookedMonth(expense)
  if (!isClosed && expense.booked_on === null) return null
  const words = (value: string) => formatMonth(value, language)
  return (
    <div className={classes.whoApproves} role="note">
      {expense.booked_on !== null && <p>{t('expense.late', { own: words(monthOf(expense.occurred_at)), month: words(month) })}</p>}
      {isClosed && <ClosedNotice organizationId={expense.payer.id} month={month} isExpense />}
    </div>
  )
}
