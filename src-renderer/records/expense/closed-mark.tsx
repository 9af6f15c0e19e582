import { CalendarClock, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { bookedMonth } from '#shared/domain/closing/months'
import { useSession } from '../../api/session'
import { usePreferences } from '../../state/preferences'
import { formatMonth } from '../../ui/values/format'

/** In a row: that the expense belongs to a closed month, or arrived after its month was closed. */
export function ClosedMark({ expense }: { expense: Pick<Expense, 'payer' | 'occurred_at' | 'booked_on'> }) {
  const { t } = useTranslation('closings')
  const language = usePreferences((state) => state.language)
  const { data: session } = useSession()
  const membership = session?.memberships.find(({ organization }) => organization.id === expense.payer.id)
  const month = bookedMonth(expense)
  const isClosed = membership?.closed_months.includes(month) === true
  if (!isClosed && expense.booked_on === null) return null
  const text = t(isClosed ? 'expense.mark' : 'expense.lateMark', { month: formatMonth(month, language) })
  const Icon = isClosed ? Lock : CalendarClock
  return (
    <span title={text} style={{ display: 'inline-flex' }}>
      <Icon size={13} aria-hidden />
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
