/** Whether a card is valid, or expires soon. */
export type CardValidity = 'valid' | 'expires_soon' | 'expired'

const soonDays = 60
const millisecondsPerDay = 86_400_000

/**
 * The validity of a card: until the end of its month, and `expires_soon` within 60 days before that. `today` is `YYYY-MM-DD`. Contract 2.8,
 * `expiration_date`.
 */
export function cardValidityOf(expiration: { month: number; year: number }, today: string): CardValidity {
  const lastDay = Date.UTC(expiration.year, expiration.month, 0)
  const daysLeft = (lastDay - Date.parse(`${today}T00:00:00Z`)) / millisecondsPerDay
  if (daysLeft < 0) return 'expired'
  return daysLeft <= soonDays ? 'expires_soon' : 'valid'
}
