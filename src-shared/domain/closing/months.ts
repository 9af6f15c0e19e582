/**
 * Closed months. An organization can close a past month: records dated in it cannot change until it is reopened. Months are in UTC, like all
 * instants. An expense belongs to the month of its date, or, if that was closed before the expense arrived, to the first open month after it
 * (`booked_on`).
 */

/** The format of a month: `2026-10`. */
export const monthPattern = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** The month of an instant. */
export function monthOf(instant: string): string {
  return instant.slice(0, 7)
}

/** The first instant of a month. */
export function startOfMonth(month: string): string {
  return `${month}-01T00:00:00Z`
}

/** The following month. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${String(year + 1).padStart(4, '0')}-01` : `${month.slice(0, 5)}${String(number + 1).padStart(2, '0')}`
}

/** The preceding month. */
export function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 1 ? `${String(year - 1).padStart(4, '0')}-12` : `${month.slice(0, 5)}${String(number - 1).padStart(2, '0')}`
}

/** The values of an expense that decide its month. */
export interface Booked {
  readonly occurred_at: string
  readonly booked_on: string | null
}

/** The month to which an expense belongs. */
export function bookedMonth({ occurred_at, booked_on }: Booked): string {
  return monthOf(booked_on ?? occurred_at)
}

/** Where an expense is booked: null: by its date; an instant: in that later month; a closed month: it cannot be booked. */
export type Booking = { readonly booked_on: string | null } | { readonly closed: string }

/** Books a new expense: a late one of a closed month goes to the first open month after it. */
export function bookNew(closed: ReadonlySet<string>, occurred_at: string): { readonly booked_on: string | null } {
  let month = monthOf(occurred_at)
  if (!closed.has(month)) return { booked_on: null }
  while (closed.has(month)) month = monthAfter(month)
  return { booked_on: startOfMonth(month) }
}

/**
 * Books an expense whose date or payer has changed. A late expense may have any date up to the month in which it is booked; others cannot move into a
 * closed month, which was handed over without them.
 */
export function bookAgain(closed: ReadonlySet<string>, next: Booked): Booking {
  const month = monthOf(next.occurred_at)
  if (!closed.has(month)) return { booked_on: null }
  const isLate = next.booked_on !== null && monthOf(next.booked_on) > month && !closed.has(monthOf(next.booked_on))
  return isLate ? { booked_on: next.booked_on } : { closed: month }
}
