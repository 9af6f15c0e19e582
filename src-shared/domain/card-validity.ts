/** Whether a card can still be used, and whether it is time to get a new one. */
export type CardValidity = 'valid' | 'expires_soon' | 'expired'

const soonDays = 60
const millisecondsPerDay = 86_400_000

/**
 * How long a card is good for: to the end of the month that it names, and soon no more within 60 days of that. `today` is
 * `YYYY-MM-DD`. Contract 2.8, `expiration_date`.
 */
export function cardValidityOf(expiration: { month: number; year: number }, today: string): CardValidity {
  const lastDay = Date.UTC(expiration.year, expiration.month, 0)
  const daysLeft = (lastDay - Date.parse(`${today}T00:00:00Z`)) / millisecondsPerDay
  if (daysLeft < 0) return 'expired'
  return daysLeft <= soonDays ? 'expires_soon' : 'valid'
}
