import { z } from 'zod'
import type { Row } from '#db/schema'
import { bookedAgainst, bookedAgainstOf, bookedStatuses } from '#shared/domain/exports/bookings'
import { fromMinor, parseAmount } from '#shared/domain/money'
import type { Reader } from '#main/store/core/store'
import { listActivitiesOf } from '#main/store/records/conversations/activity-reader'
import type { MovedRow } from '#main/store/records/handovers/handovers'
import type { ExportRow } from '../exports/export-rows'
import { countedMinor } from '../exports/exported-expense'
import { fingerprintOf } from './fingerprint-of'

/** An expense with more later activities than this is not reconstructed. */
const mostActivities = 1000

/** How an expense is booked: the amount in minor units, and what selects its accounts. */
const booking = z.object({
  amount_minor: z.int(),
  currency: z.string(),
  occurred_at: z.string(),
  receiver_id: z.int(),
  tag: z.string().nullable(),
  against: z.enum(bookedAgainst),
  card_id: z.int().nullable(),
})
export type Booking = z.infer<typeof booking>

/** An organization's current booking of an expense; null if there is none. */
export function bookingOf({ expense, tags }: ExportRow, organization_id: number): Booking | null {
  const { status, deleted_at, payer_id, occurred_at, receiver_id, corporative_card_id } = expense
  if (deleted_at !== null || payer_id !== organization_id || !bookedStatuses.includes(status)) return null
  const against = bookedAgainstOf(expense)
  const card_id = against === 'card' ? corporative_card_id : null
  return { ...countedMinor(expense), occurred_at, receiver_id, tag: tags[0] ?? null, against, card_id }
}

/** An expense as it was booked, for a file: sums and accounts as they were then, texts as they are now. */
export function asBooked(expense: Row<'expenses'>, then: Booking): Row<'expenses'> {
  const { amount_minor, currency, occurred_at, receiver_id, against, card_id } = then
  return {
    ...expense,
    amount_minor,
    currency,
    approved_amount_minor: amount_minor,
    approved_amount_currency: currency,
    occurred_at,
    receiver_id,
    corporative_card_id: card_id,
    liquidate_through_advancement: against === 'advance' ? 1 : 0,
    ...(against === 'card' && { reimbursement_id: null }),
  }
}

/** A handover's booking of an expense; null if there was none. */
export async function bookingThen(reader: Reader, moved: MovedRow, row: ExportRow): Promise<Booking | null> {
  if (moved.booking !== null) return booking.nullable().parse(JSON.parse(moved.booking))
  // Before bookings were stored, a file had an expense's counted amount, whatever its status.
  const { expense } = row
  const isAsThen = fingerprintOf(row) === moved.fingerprint
  const counted = countedMinor(isAsThen ? expense : await withAmountsThen(reader, moved, expense))
  const { occurred_at, receiver_id } = expense
  return { ...counted, occurred_at, receiver_id, tag: row.tags[0] ?? null, against: 'claimant', card_id: null }
}

/** An expense with the amounts at the time of its handover, from the trail. */
async function withAmountsThen(
  reader: Reader,
  { expense_id: id, trail_end, handed_at }: MovedRow,
  expense: Row<'expenses'>,
): Promise<Row<'expenses'>> {
  const facts: Record<string, unknown> = toExportedAmounts(expense)
  const subject = { type: 'Expense', id } as const
  const { rows } = await listActivitiesOf(reader, { subject, limit: mostActivities, offset: 0 })
  const since = rows.filter((entry) => (trail_end === null ? entry.created_at >= handed_at : entry.id > trail_end))
  for (const { attribute, from } of since.flatMap(({ details }) => details)) if (attribute in facts) facts[attribute] = from
  const [claimed, approved] = [minorOf(facts.amount, facts.currency), minorOf(facts.approved_amount, facts.approved_amount_currency)]
  return {
    ...expense,
    ...(claimed && { amount_minor: claimed.amount_minor, currency: claimed.currency }),
    approved_amount_minor: approved?.amount_minor ?? null,
    approved_amount_currency: approved?.currency ?? null,
  }
}

function toExportedAmounts({ amount_minor, currency, approved_amount_minor, approved_amount_currency }: Row<'expenses'>) {
  const isApproved = approved_amount_minor !== null && approved_amount_currency !== null
  const approved_amount = isApproved ? fromMinor(approved_amount_minor, approved_amount_currency) : null
  return { amount: fromMinor(amount_minor, currency), currency, approved_amount, approved_amount_currency }
}

function minorOf(amount: unknown, currency: unknown): { amount_minor: number; currency: string } | undefined {
  if (typeof amount !== 'number' || typeof currency !== 'string') return undefined
  const parsed = parseAmount(amount, currency)
  return parsed.kind === 'ok' ? { amount_minor: parsed.amount_minor, currency } : undefined
}
