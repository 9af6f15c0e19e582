import type { ExpenseStatus } from '#shared/domain/expense-status'

/** The queues of expenses that wait for a reviewer: those without findings, and those that need eyes. */
export const reviewQueues = ['clean', 'flagged'] as const
export type ReviewQueue = (typeof reviewQueues)[number]

/** The statuses in which an expense waits for a reviewer. */
export const waitingStatuses = ['awaiting_analysis', 'analyzing', 'analyzed'] as const satisfies readonly ExpenseStatus[]

const waiting: readonly ExpenseStatus[] = waitingStatuses

/** The queue of an expense; undefined where it waits for no reviewer. */
export function queueOf({ status, flag_level }: { status: ExpenseStatus; flag_level: number | null }): ReviewQueue | undefined {
  if (!waiting.includes(status)) return undefined
  return flag_level === null ? 'clean' : 'flagged'
}

/** What filters by findings call expenses without any. */
export const noFinding = 'none'
