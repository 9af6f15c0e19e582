import type { ExpenseSummary } from '#shared/contract/expenses'
import { waitingStatuses } from '#shared/domain/review-queues'
import type { Money } from '#renderer/ui/values/format'
import { addTotals } from '#renderer/ui/values/sums'
import { type Queue, queuedStatuses, tabQueues } from '#renderer/records/filters/review-view'

/** What matches in every queue, by status: all of it, and what waits with findings. */
export type ReviewSummary = { readonly all: ExpenseSummary; readonly flagged: ExpenseSummary }

/** How many expenses a queue holds, what they count for, and the claimed sum. */
export type QueueSums = { readonly count: number; readonly totals: readonly Money[]; readonly claimed: readonly Money[] }

type Group = ExpenseSummary['groups'][number]

/** The part of a summary that belongs to a queue, by status. */
export function ofQueue({ all, flagged }: ReviewSummary, queue: Queue): ExpenseSummary {
  if (queue === 'flagged') return flagged
  if (queue === 'clean') return { groups: waitingStatuses.flatMap((status) => without(status, { all, flagged })) }
  return { groups: all.groups.filter(({ key }) => queuedStatuses(queue).some((status) => status === key)) }
}

/** The expenses of a status less those with findings; the two sums may be of different moments. */
function without(status: string, { all, flagged }: ReviewSummary): Group[] {
  const whole = all.groups.find(({ key }) => key === status)
  const found = flagged.groups.find(({ key }) => key === status)
  if (!whole) return []
  const count = whole.count - (found?.count ?? 0)
  const less = (totals: Group['totals'], part: Group['totals'] = []) =>
    addTotals([...totals, ...part.map((money) => ({ ...money, sign: -1 as const }))]).map((money) => ({ ...money, count }))
  return count <= 0 ? [] : [{ ...whole, count, totals: less(whole.totals, found?.totals), claimed: less(whole.claimed, found?.claimed) }]
}

/** The queues that are always there: what waits, and everything. */
const alwaysShown: readonly Queue[] = ['awaiting_analysis', 'all']

/** The tabs: queues that have something, and `current`; all of them before the sums are known. */
export function shownQueues(summary: ReviewSummary | undefined, current: Queue): Queue[] {
  const isShown = (queue: Queue) =>
    queue === current || alwaysShown.includes(queue) || summary === undefined || queueSums(summary, queue).count > 0
  return (tabQueues.includes(current) ? tabQueues : [...tabQueues, current]).filter(isShown)
}

/** The sums of a queue. */
export function queueSums(summary: ReviewSummary, queue: Queue): QueueSums {
  const { groups } = ofQueue(summary, queue)
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    totals: addTotals(groups.flatMap(({ totals }) => totals)),
    claimed: addTotals(groups.flatMap(({ claimed }) => claimed)),
  }
}
