import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { usePreferences } from '../state/preferences'
import { now } from '../ui/values/clock'
import { formatDay, formatMonth } from '../ui/values/format'
import { useClosings } from './closings'

/** That a month is closed, who closed it, and when. `isExpense`: what can still be done about an expense. */
export function ClosedNotice({ organizationId, month, isExpense = false }: { organizationId: number; month: string; isExpense?: boolean }) {
  const { t } = useTranslation('closings')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const { data = [] } = useClosings(organizationId)
  const closing = data.find(({ name, reopening }) => name === month && reopening === null)
  const words = { month: formatMonth(month, language) }
  const day = closing && formatDay(closing.created_at, { language, timezone, now: now() })
  return (
    <p>
      <Lock size={13} aria-hidden />{' '}
      {closing ? t('expense.since', { ...words, person: closing.user.name, day }) : t('expense.closed', words)}{' '}
      {t(isExpense ? 'expense.how' : 'expense.reopen')}
    </p>
  )
}
