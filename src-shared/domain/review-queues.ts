import type { ExpenseStatus } from '#shared/domain/expense-status'

/** The queues that are no status: what waits for review without findings and with findings, what is being reviewed, and what is decided. */
export const reviewQueues = ['clean', 'flagged', 'in_review', 'decided'] as const
export type ReviewQueue = (typeof reviewQueues)[number]

/** The statuses in which an expense waits for review. */
export const waitingStatuses = ['awaiting_analysis', 'analyzing', 'analyzed'] as const satisfies readonly ExpenseStatus[]

const waiting: readonly ExpenseStatus[] = waitingStatuses

/** The statuses whose expenses are all in a queue; none where findings decide. */
export const queueStatuses = {
  clean: [],
  flagged: [],
  in_review: ['analyzing', 'analyzed'],
  decided: ['approved', 'liquidated', 'rejected', 'noncompliant'],
} as const satisfies Record<ReviewQueue, readonly ExpenseStatus[]>

/** Whether an expense that waits for review has findings; undefined if it does not wait. */
export function queueOf({ status, flag_level }: { status: ExpenseStatus; flag_level: number | null }): 'clean' | 'flagged' | undefined {
  if (!waiting.includes(status)) return undefined
  return flag_level === null ? 'clean' : 'flagged'
}

/** The value for expenses without findings in filters by finding. */
export const noFinding = 'none'
