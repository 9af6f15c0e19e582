import type { ListFilter } from '#shared/contract/filters'
import type { LeftOut } from '#shared/contract/instance/exports'
import { bookedStatuses } from '#shared/domain/exports/bookings'
import { type ExportFormat, isOfBookings } from '#shared/domain/exports/export-formats'
import { expenseStatuses } from '#shared/domain/expense-status'
import type { Reader } from '#main/store/core/store'
import { listExpenses, summarizeExpenses } from '#main/store/records/expenses/expense-reader'
import type { HandoverTask } from '../handovers/handover-task'
import { type ExportScope, isBooked, payerIs } from './export-rows'

/** The expenses that were asked for, as what file, and what that is handed over as. */
export interface AskedFile {
  readonly scope: ExportScope
  readonly format: ExportFormat
  readonly handover: HandoverTask | null
}

/** The expenses among which a file chooses: a handover has those of its organization. */
function askedScope({ scope, handover }: AskedFile): ExportScope {
  if (!handover) return scope
  const conditions = [...scope.filter.conditions, payerIs(handover.organization_id)]
  return { ...scope, filter: { ...scope.filter, conditions } }
}

/** The expenses whose currency a format takes: DATEV's books are in euros. */
function ofTakenCurrency(filter: ListFilter, format: ExportFormat): ListFilter {
  if (format !== 'datev') return filter
  // No expense counts in no currency.
  return { ...filter, counted_currency: filter.counted_currency?.includes('EUR') === false ? [''] : ['EUR'] }
}

/** The expenses that go into a file: into one for accounting, and into every handover, only booked ones; and each is handed over once. */
export function writtenScope(asked: AskedFile): ExportScope {
  const scope = askedScope(asked)
  const { format, handover } = asked
  if (!handover && !isOfBookings(format)) return scope
  const filter = { ...ofTakenCurrency(scope.filter, format), conditions: [...scope.filter.conditions, isBooked] }
  const isOnce = handover !== null && !handover.again
  return { ...scope, filter: isOnce ? { ...filter, handed_over: [...(filter.handed_over ?? []), 'no'] } : filter }
}

/** How many expenses go into a file, and which of those that were asked for are left out. */
export async function countWritten(reader: Reader, asked: AskedFile): Promise<{ count: number; left_out: LeftOut }> {
  const written = writtenScope(asked)
  const { user_id } = written
  const { count } = await listExpenses(reader, user_id, { filter: written.filter, sort: [], limit: 1, offset: 0 })
  if (!asked.handover && !isOfBookings(asked.format)) return { count, left_out: [] }
  const wanted = askedScope(asked).filter
  const groupsOf = (filter: ListFilter) => summarizeExpenses(reader, user_id, { filter, group_by: 'status' })
  const [all, taken] = [await groupsOf(wanted), await groupsOf(ofTakenCurrency(wanted, asked.format))]
  const unbooked = expenseStatuses.filter((status) => !bookedStatuses.includes(status))
  const booked = countOf(taken, bookedStatuses)
  const reasons = [
    ...unbooked.map((reason) => ({ reason, count: countOf(all, [reason]) })),
    { reason: 'other_currency' as const, count: countOf(all, bookedStatuses) - booked },
    { reason: 'handed_over' as const, count: booked - count },
  ]
  return { count, left_out: reasons.filter((one) => one.count > 0) }
}

const countOf = (groups: Awaited<ReturnType<typeof summarizeExpenses>>, statuses: readonly string[]) =>
  groups.reduce((sum, group) => sum + (statuses.includes(String(group.key)) ? group.count : 0), 0)
