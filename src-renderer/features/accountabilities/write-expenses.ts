import { expenseRepresentation, type Expense } from '#shared/contract/expenses'
import { runBatch } from '../../api/batch'
import { failureText } from '../../api/failure-text'
import { newKey } from '../../ui/clock'
import type { ExpenseWrites } from './approvals'

/** What came of writing expenses: those written, before and after, and why others stayed as they were. */
export type Written = {
  readonly done: ReadonlyArray<{ readonly before: Expense; readonly after: Expense }>
  readonly reasons: readonly string[]
}

/** How many writes go in one request. */
const operationsPerBatch = 500

/** Writes expenses in as few requests as hold them; each stands alone. Throws ApiError when a request as a whole fails. */
export async function writeExpenses(writes: readonly ExpenseWrites[]): Promise<Written> {
  const done: Array<{ before: Expense; after: Expense }> = []
  const reasons: string[] = []
  for (const slice of toSlices(writes)) {
    const operations = slice.flatMap((write) => write.operations)
    const outcomes = await runBatch(operations, { idempotencyKey: newKey() })
    let next = 0
    for (const write of slice) {
      const own = outcomes.slice(next, next + write.operations.length)
      next += write.operations.length
      const refused = own.find((outcome) => outcome.kind === 'refused')
      const last = own.at(-1)
      if (refused) reasons.push(failureText(refused.error))
      else if (last?.kind === 'done') done.push({ before: write.expense, after: expenseRepresentation.parse(last.body) })
    }
  }
  return { done, reasons }
}

/** Slices of writes, those of one expense never torn apart. */
function toSlices(writes: readonly ExpenseWrites[]): ExpenseWrites[][] {
  const slices: ExpenseWrites[][] = []
  let size = operationsPerBatch
  for (const write of writes) {
    if (size + write.operations.length > operationsPerBatch) {
      slices.push([])
      size = 0
    }
    slices.at(-1)?.push(write)
    size += write.operations.length
  }
  return slices
}
