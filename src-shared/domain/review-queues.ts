import type { ExpenseStatus } from '#shared/domain/expense-status'

/** The queues of expenses that wait for review: without findings, and with findings. */
export const reviewQueues = ['clean', 'flagged'] as const
export type ReviewQueue = (typeof reviewQueues)[number]

/** The statuses in which an expense waits for review. */
export const waitingStatuses = ['awaiting_analysis', 'analyzing', 'analyzed'] as const satisfies readonly ExpenseStatus[]

const waiting: readonly ExpenseStatus[] = waitingStatuses

/** The queue of an expense; undefined if it does not wait for review. */
export function queueOf({ status, flag_level }: { status: ExpenseStatus; flag_level: number | null }): ReviewQueue | undefined {
  if (!waiting.includes(status)) return undefined
  return flag_level === null ? 'clean' : 'flagged'
}

/** The value for expenses without findings in filters by finding. */
export const noFinding = 'none'
