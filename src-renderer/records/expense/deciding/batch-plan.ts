import type { BatchGroup } from '#shared/contract/batch'
import type { Expense } from '#shared/contract/expenses'
import { countedAmount } from '#shared/domain/counted-amount'
import type { ExpenseStatus } from '#shared/domain/expense-status'
import { dryRunBatch } from '#renderer/api/batch'
import { toApiError } from '#renderer/api/client'
import { fieldFailure } from '#renderer/api/failure-text'
import type { Money } from '#renderer/ui/values/format'
import { addTotals } from '#renderer/ui/values/sums'
import { expenseQueue } from '../expense-moves'
import { readJudged } from '../expense-writes'
import { moveOf, targetOf, type Decision } from './decision'

/** How a long run is followed and stopped; `onDone` gets the number of expenses done. */
export type RunOptions = { readonly signal?: AbortSignal; readonly onDone?: (count: number) => void }

/**
 * Expenses that the server leaves out of a batch for one reason. `reason`: the code of its refusal, or `already` and `not_offered` where
 * their `status` alone is the reason; `message`: the server's words about the first.
 */
export type Skipped = Pick<BatchGroup, 'reason' | 'params'> & {
  readonly message: string
  readonly status: ExpenseStatus
  readonly count: number
}

/** What a batch will do. `totals`: what the expenses count for, in major units, by currency. */
export type BatchPlan = { readonly acting: readonly Expense[]; readonly totals: readonly Money[]; readonly skipped: readonly Skipped[] }

/** Expenses as they are read, page by page. */
export type ExpensePages = AsyncIterable<readonly Expense[]> | Iterable<readonly Expense[]>

/** How many expenses one request is about: small enough that the progress moves. */
const perSlice = 100

/** Expenses in slices, each for one request. */
export function* inSlices(expenses: readonly Expense[]): Generator<readonly Expense[]> {
  for (let at = 0; at < expenses.length; at += perSlice) yield expenses.slice(at, at + perSlice)
}

/**
 * Asks the server what an act would do with expenses as they were seen, after what this page is still writing. `onDone`: of how many it has
 * said so. Throws ApiError.
 */
export async function planBatch(act: Decision, pages: ExpensePages, { signal, onDone }: RunOptions = {}): Promise<BatchPlan> {
  await expenseQueue.idle()
  const acting: Expense[] = []
  const skipped = new Map<string, Skipped>()
  let count = 0
  for await (const page of pages) {
    if (signal?.aborted) break
    for (const { expense, refused } of await judge(act, page, signal)) {
      if (refused) noteSkipped(skipped, await skippedFor(refused, { act, expense }))
      else acting.push(expense)
    }
    count += page.length
    onDone?.(count)
  }
  const totals = addTotals(acting.map(countedAmount))
  return { acting, totals, skipped: [...skipped.values()].toSorted((a, b) => b.count - a.count) }
}

type Judged = { readonly expense: Expense; readonly refused: BatchGroup | undefined }

async function judge(act: Decision, seen: readonly Expense[], signal: AbortSignal | undefined): Promise<Judged[]> {
  const now = seen.map((expense) => expenseQueue.latest(expense))
  const groups = await dryRunBatch(now.map(moveOf(act)), signal)
  const refusals = new Map(groups.flatMap((group) => (group.status < 400 ? [] : group.operations.map((index) => [index, group]))))
  const stale = now.filter((_, index) => refusals.get(index)?.reason === 'stale')
  const judged = (await Promise.all(stale.map(readJudged))).filter((read) => read !== undefined)
  const again = judged.length === 0 ? [] : await judge(act, judged, signal)
  return now.map((expense, index) => {
    const refused = refusals.get(index)
    return again.find((known) => known.expense.uid === expense.uid) ?? { expense: refused ? expense : (seen[index] ?? expense), refused }
  })
}

async function skippedFor(
  { status: code, reason, params, body }: BatchGroup,
  { act, expense: { status } }: { act: Decision; expense: Expense },
): Promise<Skipped> {
  const message = fieldFailure(await toApiError(code, JSON.stringify(body), null), 'status') ?? ''
  const byStatus = status === targetOf(act) ? 'already' : 'not_offered'
  return { reason: reason === 'inclusion' ? byStatus : reason, params, message, status, count: 1 }
}

function noteSkipped(skipped: Map<string, Skipped>, one: Skipped): void {
  const { reason, params, message, status } = one
  const isOfStatus = reason === 'already' || reason === 'not_offered' || reason === 'forbidden'
  const key = JSON.stringify([reason, reason === null ? message : params, isOfStatus && status])
  skipped.set(key, { ...one, count: one.count + (skipped.get(key)?.count ?? 0) })
}
