import type { BatchOperation } from '#shared/contract/batch'
import { expenseRepresentation, expenseRoutes, type Expense } from '#shared/contract/expenses'
import { runBatch, type BatchOutcome } from '../../api/batch'
import { ApiError, call } from '../../api/client'
import { newKey } from '../../ui/clock'

/** The writes of one expense, in order. */
export type ExpenseWrites = { readonly id: number; readonly uid: string; readonly operations: readonly BatchOperation[] }

/** How the writes of one expense went; `expense` is as the server has it now. */
export type WriteOutcome =
  | { readonly kind: 'done'; readonly uid: string; readonly expense: Expense }
  | { readonly kind: 'refused'; readonly uid: string; readonly reason: string; readonly expense?: Expense }
  | { readonly kind: 'changed'; readonly uid: string; readonly expense: Expense }

/** How many writes go in one request: small enough that the progress moves. */
const operationsPerSlice = 250

/** Expenses in slices, the writes of one never torn apart. */
export function toSlices(writes: readonly ExpenseWrites[], limit = operationsPerSlice): ExpenseWrites[][] {
  const slices: ExpenseWrites[][] = []
  let size = limit
  for (const write of writes) {
    if (size + write.operations.length > limit && size > 0) {
      slices.push([])
      size = 0
    }
    slices.at(-1)?.push(write)
    size += write.operations.length
  }
  return slices
}

/** Sends one slice; the same key on a second try makes sure that nothing is done twice. A failure as a whole refuses each. */
async function send(slice: readonly ExpenseWrites[]): Promise<BatchOutcome[]> {
  const operations = slice.flatMap((write) => write.operations)
  const options = { idempotencyKey: newKey() }
  try {
    return await runBatch(operations, options).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 0) return runBatch(operations, options)
      throw error
    })
  } catch (error) {
    const refused = error instanceof ApiError ? error : new ApiError(0, error instanceof Error ? error.message : String(error))
    return operations.map(() => ({ kind: 'refused', error: refused }))
  }
}

/** Reads an expense again where the answers do not tell how it stands. */
async function readNow(id: number): Promise<Expense | undefined> {
  return call(expenseRoutes.show, { params: { id } }).catch(() => undefined)
}

async function toOutcome({ id, uid }: ExpenseWrites, outcomes: readonly BatchOutcome[]): Promise<WriteOutcome> {
  const refused = outcomes.find((outcome) => outcome.kind === 'refused')
  const parsed = outcomes
    .flatMap((outcome) => (outcome.kind === 'done' ? [expenseRepresentation.safeParse(outcome.body)] : []))
    .at(-1)
  const answered = parsed?.success === true ? parsed.data : undefined
  if (!refused && answered) return { kind: 'done', uid, expense: answered }
  const now = refused && outcomes[0] === refused && refused.error.status !== 412 ? undefined : await readNow(id)
  if (refused?.error.status === 412 && now) return { kind: 'changed', uid, expense: now }
  if (refused) return { kind: 'refused', uid, reason: refused.error.message, expense: now }
  return now ? { kind: 'done', uid, expense: now } : { kind: 'refused', uid, reason: '' }
}

/** Writes one slice and says how each expense stands afterwards. Never throws. */
export async function writeSlice(slice: readonly ExpenseWrites[]): Promise<WriteOutcome[]> {
  const outcomes = await send(slice)
  let next = 0
  const parts = slice.map((write) => {
    const own = outcomes.slice(next, next + write.operations.length)
    next += write.operations.length
    return toOutcome(write, own)
  })
  return Promise.all(parts)
}
