import { sql } from 'kysely'
import { type Booked, bookAgain, bookNew, bookedMonth, monthOf } from '#shared/domain/closing/months'
import { DomainError, invalid } from '#shared/domain/errors'
import { statement } from '../../core/statement'
import type { Reader, Tx } from '../../core/store'

/** The one place that checks for closed months. The writers of expenses, receipts and settlements call it, so nothing bypasses it. */

const listClosings = statement<{ organization_id: number }, { name: string }>(
  (db, p) =>
    db
      .selectFrom('closings')
      .select('name')
      .where('organization_id', '=', p('organization_id'))
      .where('reopening', 'is', null)
      .where('deleted_at', 'is', null),
  { isKept: true },
)

/** The closed months of an organization. */
export async function listClosedMonths(reader: Reader, organization_id: number): Promise<ReadonlySet<string>> {
  return new Set((await reader.all(listClosings, { organization_id })).map(({ name }) => name))
}

type Placed = Booked & { readonly payer_id: number }

/** Whether an expense belongs to a closed month: then only its comments can change. */
export async function isInClosedMonth(reader: Reader, expense: Placed): Promise<boolean> {
  return (await listClosedMonths(reader, expense.payer_id)).has(bookedMonth(expense))
}

/** Throws {@link DomainError} if an expense belongs to a closed month. */
export async function assertOpenMonth(tx: Tx, expense: Placed): Promise<void> {
  if (await isInClosedMonth(tx, expense)) throw closedMonth(bookedMonth(expense))
}

/** The month in which a new expense is booked. */
export async function bookNewExpense(tx: Tx, { payer_id, occurred_at }: Omit<Placed, 'booked_on'>) {
  return bookNew(await listClosedMonths(tx, payer_id), occurred_at)
}

/** The month in which a changed expense is booked. Throws `invalid` for a date in a closed month. */
export async function bookExpenseAgain(tx: Tx, row: Placed, next: Placed): Promise<{ booked_on?: string | null }> {
  if (row.occurred_at === next.occurred_at && row.payer_id === next.payer_id) return {}
  const booking = bookAgain(await listClosedMonths(tx, next.payer_id), next)
  if ('closed' in booking) throw invalid('occurred_at', 'closed_month', { month: booking.closed })
  return booking
}

type Dated = { readonly payer_id: number; readonly date: string }

/** Throws {@link DomainError} if a settlement to change is dated in a closed month. */
export async function assertOpenDate(tx: Tx, { payer_id, date }: Dated): Promise<void> {
  if ((await listClosedMonths(tx, payer_id)).has(monthOf(date))) throw closedMonth(monthOf(date))
}

/** Throws `invalid` if a new settlement date is in a closed month. */
export async function assertOpenForDate(tx: Tx, { payer_id, date }: Dated): Promise<void> {
  if ((await listClosedMonths(tx, payer_id)).has(monthOf(date))) throw invalid('date', 'closed_month', { month: monthOf(date) })
}

const listMonthsOfTag = statement<{ tag_id: number }, { month: string }>((db, p) =>
  db
    .selectFrom('expense_tags')
    .innerJoin('expenses', 'expenses.id', 'expense_tags.expense_id')
    .select(sql<string>`substr(coalesce(expenses.booked_on, expenses.occurred_at), 1, 7)`.as('month'))
    .distinct()
    .where('expense_tags.tag_id', '=', p('tag_id'))
    .where('expenses.deleted_at', 'is', null),
)

/** Throws {@link DomainError} if expenses of a closed month have the tag: renaming or deleting it would change them. */
export async function assertTagOfOpenMonths(tx: Tx, { id, organization_id }: { id: number; organization_id: number }): Promise<void> {
  const closed = await listClosedMonths(tx, organization_id)
  if (closed.size === 0) return
  const months = (await tx.all(listMonthsOfTag, { tag_id: id })).map(({ month }) => month)
  const month = months
    .filter((one) => closed.has(one))
    .toSorted()
    .at(-1)
  if (month !== undefined) throw new DomainError({ kind: 'not_possible', code: 'closed_tag', params: { month } })
}

function closedMonth(month: string): DomainError {
  return new DomainError({ kind: 'not_possible', code: 'closed_month', params: { month } })
}
