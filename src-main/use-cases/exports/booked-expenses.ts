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

/** The expenses that go into a file: into one for accounting, and into every handover, only booked ones; and each is handed over once. */
export function writtenScope(asked: AskedFile): ExportScope {
  const scope = askedScope(asked)
  const { format, handover } = asked
  if (!handover && !isOfBookings(format)) return scope
  const filter = { ...scope.filter, conditions: [...scope.filter.conditions, isBooked] }
  const isOnce = handover !== null && !handover.again
  return { ...scope, filter: isOnce ? { ...filter, handed_over: [...(filter.handed_over ?? []), 'no'] } : filter }
}

/** How many expenses go into a file, and which of those that were asked for are left out. */
export async function countWritten(reader: Reader, asked: AskedFile): Promise<{ count: number; left_out: LeftOut }> {
  const { filter, user_id } = writtenScope(asked)
  const { count } = await listExpenses(reader, user_id, { filter, sort: [], limit: 1, offset: 0 })
  if (!asked.handover && !isOfBookings(asked.format)) return { count, left_out: [] }
  const groups = await summarizeExpenses(reader, user_id, { filter: askedScope(asked).filter, group_by: 'status' })
  const countOf = (statuses: readonly string[]) =>
    groups.reduce((sum, group) => sum + (statuses.includes(String(group.key)) ? group.count : 0), 0)
  const unbooked = expenseStatuses.filter((status) => !bookedStatuses.includes(status))
  const all = [
    ...unbooked.map((reason) => ({ reason, count: countOf([reason]) })),
    { reason: 'handed_over' as const, count: countOf(bookedStatuses) - count },
  ]
  return { count, left_out: all.filter((one) => one.count > 0) }
}
