import type { ListFilter } from '#shared/contract/filters'
import type { Reader } from '#main/store/core/store'
import { readSpending, readTimes } from '#main/store/records/expenses/report-reader'

/** Reads a report as its route does: by month, and by day for what is converted. */
export function readReport(
  reader: Reader,
  user_id: number,
  { by, filter }: { by: 'tag' | 'receiver' | 'times'; filter: ListFilter },
): Promise<unknown> {
  if (by === 'times') return readTimes(reader, user_id, [filter])
  return readSpending(reader, user_id, { filters: [filter], group_by: by, by_month: true, home: 'BRL', today: '2026-03-04' })
}
