import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { bookedMonth, monthOf } from '#shared/domain/closing/months'
import { useClosings } from '../../records/closings'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatDay, formatMonth } from '../../ui/values/format'
import classes from './expense.module.css'

/** Who closed the month of an expense and when, and that an expense arrived late. */
export function ClosedMonth({ expense, isClosed }: { expense: Expense; isClosed: boolean }) {
  const { t } = useTranslation('closings')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const { data = [] } = useClosings(isClosed ? expense.payer.id : null)
  const month = bookedMonth(expense)
  const closing = data.find(({ name, reopening }) => name === month && reopening === null)
  if (!isClosed && expense.booked_on === null) return null
  const words = (value: string) => formatMonth(value, language)
  const day = closing && formatDay(closing.created_at, { language, timezone, now: now() })
  return (
    <div className={classes.whoApproves} role="note">
      {expense.booked_on !== null && <p>{t('expense.late', { own: words(monthOf(expense.occurred_at)), month: words(month) })}</p>}
      {isClosed && (
        <p>
          <Lock size={13} aria-hidden />{' '}
          {closing
            ? t('expense.since', { month: words(month), person: closing.user.name, day })
            : t('expense.closed', { month: words(month) })}{' '}
          {t('expense.how')}
        </p>
      )}
    </div>
  )
}
