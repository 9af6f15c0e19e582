import { CalendarClock, Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Expense } from '#shared/contract/expenses'
import { bookAgain, bookNew, monthOf } from '#shared/domain/closing/months'
import { useSession } from '../../api/session'
import { dayOf, parseDateInput } from '../../state/date-input'
import { usePreferences } from '../../state/preferences'
import { now } from '../../ui/values/clock'
import { formatMonth } from '../../ui/values/format'
import classes from './flag-list.module.css'

/** Where and for when an expense is written. `stored`: as it is now, if it is stored. */
export type DraftBooking = {
  organizationId: number | null
  /** As typed. */
  day: string
  stored?: Pick<Expense, 'occurred_at' | 'booked_on'>
}

/** While an expense is written: that its month is closed, and in which one it will count, or that it cannot move there. */
export function DraftMonth({ organizationId, day, stored }: DraftBooking) {
  const { t } = useTranslation('closings')
  const language = usePreferences((state) => state.language)
  const timezone = usePreferences((state) => state.timezone)
  const { data: session } = useSession()
  const membership = session?.memberships.find(({ organization }) => organization.id === organizationId)
  const read = parseDateInput(day, dayOf(now(), timezone))
  const words = (date: string) => formatMonth(monthOf(date), language)
  const textOf = (date: string) => {
    const closed = new Set(membership?.closed_months)
    if (stored && monthOf(stored.occurred_at) === monthOf(date)) return undefined
    const booking = stored ? bookAgain(closed, { occurred_at: date, booked_on: stored.booked_on }) : bookNew(closed, date)
    if ('closed' in booking) return { isLate: false, text: t('expense.cannotMove', { own: words(date) }) }
    if (booking.booked_on === null) return undefined
    return { isLate: true, text: t('expense.willBeLate', { own: words(date), month: words(booking.booked_on) }) }
  }
  const found = read.kind === 'ok' ? textOf(read.date) : undefined
  if (!found) return null
  const Icon = found.isLate ? CalendarClock : Lock
  return (
    <p className={classes.flag}>
      <Icon size={14} aria-hidden className={found.isLate ? classes.note : classes.block} />
      <span>{found.text}</span>
    </p>
  )
}
