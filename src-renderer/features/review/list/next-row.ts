import { queueOf } from '#shared/domain/review-queues'
import { needsReview, type ReviewView } from '#renderer/records/filters/review-view'
import type { ExpenseRow } from '#renderer/records/expense/expense-store'
import type { Rows } from './use-rows'

/** Whether a row still needs attention: `open` yes, `done` no, `unknown` not yet loaded. */
export type RowNeed = 'open' | 'done' | 'unknown'

/** How far one looks for the next row; beyond, the next one of all is as good. */
const reach = 2000

/** Whether a row of the view needs attention: not while an act on it is saved, nor in a final status. */
export function needOf(row: ExpenseRow | undefined, view: ReviewView): RowNeed {
  if (!row) return 'unknown'
  return row.state?.kind === 'saving' || !needsReview(view, row.expense) ? 'done' : 'open'
}

/**
 * Where the focus goes after an act on the row at `from`: to the next row that still needs one, else to the nearest above,
 * else nowhere. A row not yet loaded counts as needing one, since nobody has acted on it here.
 */
export function nextRowInNeed(from: number, rowCount: number, needOf: (index: number) => RowNeed): number {
  for (let index = from + 1; index < Math.min(rowCount, from + reach); index += 1) if (needOf(index) !== 'done') return index
  for (let index = from - 1; index >= Math.max(0, from - reach); index -= 1) if (needOf(index) !== 'done') return index
  return Math.max(0, Math.min(from, rowCount - 1))
}

/** The next row, or the one before, that waits with findings; undefined where there is none. Rows on the way are read. */
export async function nextFlagged(
  { source, snapshot }: Pick<Rows, 'source' | 'snapshot'>,
  from: number,
  by: 1 | -1,
): Promise<number | undefined> {
  const count = snapshot.count ?? 0
  for (let index = from + by; index >= 0 && index < count; index += by) {
    if (!source.rowAt(index)) await source.ensure(index, index)
    const row = source.rowAt(index)
    if (!row) return undefined
    if (row.state?.kind !== 'saving' && queueOf(row.expense) === 'flagged') return index
  }
  return undefined
}
