import type { ExpenseSummary } from '#shared/contract/expenses'
import type { Money } from '../../../ui/values/format'
import { addTotals } from '../deciding/batch-plan'
import type { Queue } from '../filters/review-view'

/** How many expenses a queue holds, what they count for, and the claimed sum. */
export type QueueSums = { readonly count: number; readonly totals: readonly Money[]; readonly claimed: readonly Money[] }

/** The part of a summary by status that belongs to a queue. */
export function ofQueue(summary: ExpenseSummary, queue: Queue): ExpenseSummary {
  return { groups: summary.groups.filter(({ key }) => queue === 'all' || key === queue) }
}

/** The sums of a queue, from a summary by status. */
export function queueSums(summary: ExpenseSummary, queue: Queue): QueueSums {
  const { groups } = ofQueue(summary, queue)
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    totals: addTotals(groups.flatMap(({ totals }) => totals)),
    claimed: addTotals(groups.flatMap(({ claimed }) => claimed)),
  }
}
