import type { BatchOperation } from '#shared/contract/batch'
import { expenseRepresentation, expenseRoutes, type Expense } from '#shared/contract/expenses'
import { runBatch, type BatchOutcome } from '../../api/batch'
import { ApiError, call } from '../../api/client'
import { asOneWrite } from '../../api/own-writes'
import { changedText, failureText } from '../../api/failure-text'
import { newKey } from '../../ui/values/clock'
import { expenseQueue, type ExpenseStep, isAsSeen } from './expense-moves'
import { isJudgedAgain, noteRejection } from './judged-again'

/** The plan for an expense as the user saw it: its writes, computed in their turn; none if no move leads there. */
export type ExpensePlan = { readonly seen: Expense; readonly steps: (now: Expense) => readonly ExpenseStep[] | undefined }

/** The writes of one expense, in order. */
type ExpenseWrites = { readonly before: Expense; readonly steps: readonly ExpenseStep[] }

/**
 * The outcome of the plan for one expense; `expense` is its current state. `skipped`: not sent, since after one's own earlier acts the
 * expense did not match the plan. `changed`: someone else wrote in between. `isUnknown`: no response came; a retry may succeed.
 */
export type PlanOutcome =
  | { readonly kind: 'done'; readonly uid: string; readonly before: Expense; readonly expense: Expense }
  | {
      readonly kind: 'refused'
      readonly uid: string
      readonly reason: string
      readonly isUnknown: boolean
      readonly expense?: Expense | undefined
    }
  | { readonly kind: 'changed'; readonly uid: string; readonly reason: string; readonly expense: Expense }
  | { readonly kind: 'skipped'; readonly uid: string; readonly expense: Expense }

/** Plans as they come, page by page. */
export type PlanPages = AsyncIterable<readonly ExpensePlan[]> | Iterable<readonly ExpensePlan[]>

/** How many expenses go in one request: small enough that the progress moves. */
const expensesPerSlice = 200

/**
 * Carries plans out in slices, one after the other, and yields the result of each. To be called within its turn in the
 * {@link expenseQueue}; what was carried out stays so when the caller stops. Never throws for a response of the server.
 */
export async function* carryOut(pages: PlanPages): AsyncGenerator<PlanOutcome[]> {
  for await (const page of pages) {
    const writes: ExpenseWrites[] = []
    const skipped: PlanOutcome[] = []
    for (const { seen, steps } of page) {
      const before = expenseQueue.latest(seen)
      const own = isAsSeen(before, seen) ? steps(before) : undefined
      if (own && own.length > 0) writes.push({ before, steps: own })
      else skipped.push({ kind: 'skipped', uid: seen.uid, expense: before })
    }
    if (skipped.length > 0) yield skipped
    for (let at = 0; at < writes.length; at += expensesPerSlice) yield await writeSlice(writes.slice(at, at + expensesPerSlice).map(begin))
  }
}

/** An expense before and after an act: what undoing it needs. */
export type Pair = { readonly before: Expense; readonly after: Expense }

/** Carries plans for these expenses out when their turn comes; `plans` is asked then. No screen shows a step in the middle. */
export function writePlans(uids: readonly string[], plans: () => readonly ExpensePlan[]): Promise<PlanOutcome[]> {
  return expenseQueue.run(uids, () => asOneWrite(async () => (await Array.fromAsync(carryOut([plans()]))).flat()))
}

/** Why a plan for an expense did not come about, in words; undefined where it did, or was sent twice. */
export function reasonOf(outcome: { readonly kind: string; readonly reason?: string }): string | undefined {
  if (outcome.kind === 'changed') return changedText(outcome.reason ?? '')
  return outcome.kind === 'refused' ? outcome.reason : undefined
}

/** The writes of one expense on their way: how it is by now, how many steps are through, and what stopped it. */
type Going = ExpenseWrites & { now: Expense; through: number; refused: ApiError | undefined; isStale: boolean; judgedAgain: number }

const begin = (writes: ExpenseWrites): Going => ({
  ...writes,
  now: writes.before,
  through: 0,
  refused: undefined,
  isStale: false,
  judgedAgain: 0,
})

/** Sends operations; the same key on a second try makes sure that nothing is done twice. A failure as a whole refuses each. */
async function send(operations: readonly BatchOperation[]): Promise<BatchOutcome[]> {
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

/** Writes one slice, a step of every expense at a time, and says how each is afterwards. */
async function writeSlice(slice: readonly Going[]): Promise<PlanOutcome[]> {
  for (;;) {
    const open = slice.filter(({ refused, through, steps }) => !refused && through < steps.length)
    if (open.length === 0) break
    const outcomes = await send(open.flatMap(({ now, steps, through }) => steps[through]?.(now) ?? []))
    open.forEach((going, index) => note(going, outcomes[index]))
    await Promise.all(open.map(resumeJudged))
  }
  return Promise.all(slice.map(toOutcome))
}

/** Notes the result of a step. A response without an expense, as to a comment, makes a version of it all the same. */
function note(going: Going, outcome: BatchOutcome | undefined): void {
  if (outcome?.kind !== 'done') {
    going.refused = outcome?.error ?? new ApiError(0, '')
    return
  }
  const parsed = expenseRepresentation.safeParse(outcome.body)
  going.through += 1
  going.isStale = !parsed.success
  if (!parsed.success) return
  expenseQueue.wrote(going.now, parsed.data)
  noteRejection(going.now, parsed.data)
  going.now = parsed.data
}

/** How often one write is sent again because its expense was judged again just before. */
const mostJudged = 3

/**
 * Sends a write again when its expense was only judged again since it was seen, as a decision about another one makes it: a person's own
 * sequence must not conflict with itself.
 */
async function resumeJudged(going: Going): Promise<void> {
  if (going.refused?.status !== 412 || going.judgedAgain >= mostJudged) return
  const read = await readJudged(going.now)
  if (!read) return
  going.now = read
  going.refused = undefined
  going.judgedAgain += 1
}

/** An expense as it is, where it was only judged again since it was seen: what was decided about it still holds. */
export async function readJudged(seen: Expense): Promise<Expense | undefined> {
  const read = await readNow(seen.id)
  if (!read || !isJudgedAgain(seen, read)) return undefined
  expenseQueue.wrote(seen, read)
  return read
}

/** Reads an expense again where the responses do not say how it is. */
async function readNow(id: number): Promise<Expense | undefined> {
  return call(expenseRoutes.show, { params: { id } }).catch(() => undefined)
}

async function toOutcome({ before, now, through, refused, isStale }: Going): Promise<PlanOutcome> {
  const { uid, id } = before
  if (!refused && !isStale) return { kind: 'done', uid, before, expense: now }
  const isUntouched = through === 0 && refused?.status !== 412
  const read = isUntouched ? undefined : await readNow(id)
  if (isStale && read?.version === now.version + 1) expenseQueue.wrote(now, read)
  if (!refused) return { kind: 'done', uid, before, expense: read ?? now }
  if (refused.status === 412 && read) return { kind: 'changed', uid, reason: refused.message, expense: read }
  const isUnknown = refused.status === 0 || refused.status >= 500
  return { kind: 'refused', uid, reason: failureText(refused), isUnknown, expense: read }
}
