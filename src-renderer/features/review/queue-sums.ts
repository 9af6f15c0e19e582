import type { ExpenseSummary } from '#shared/contract/expenses'
import type { Money } from '../../ui/format'
import { addTotals } from './batch-plan'
import type { Queue } from './review-view'

/** The part of a summary by status that stands in a queue. */
export function ofQueue(summary: ExpenseSummary, queue: Queue): ExpenseSummary {
  return { groups: summary.groups.filter(({ key }) => queue === 'all' || key === queue) }
}

/** How many expenses a queue holds, and what they come to. */
export function queueSums(summary: ExpenseSummary, queue: Queue): { count: number; totals: readonly Money[] } {
  const { groups } = ofQueue(summary, queue)
  return { count: groups.reduce((sum, { count }) => sum + count, 0), totals: addTotals(groups.flatMap(({ totals }) => totals)) }
}
