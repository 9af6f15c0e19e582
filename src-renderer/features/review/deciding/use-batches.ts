import type { Expense } from '#shared/contract/expenses'
import type { ExpenseFilter } from '../../../api/expenses'
import { clear, setManySelected } from '../../../state/review-selection'
import { useSelection } from '../../../state/selection'
import { notifyFailure } from '../../../state/notices'
import { targetOf, type ReviewDecision } from './decision'
import { judgeMove, type BatchPlan } from './batch-plan'
import { listMatching } from '../list/list-matching'
import type { ReviewCaller } from '../review-caller'
import { type ActResult, actOnPages, actOnRows, type ReviewerDeps } from './reviewer'
import { findRow, hearExpenses } from '../list/row-store'
import type { Rows } from '../list/use-rows'
import { track } from './runs'
import { useWorkWords } from './work-words'

/** What a batch works on: these expenses, or all that match but those named in the selection. */
export type BatchWork = {
  readonly expenses: readonly Expense[] | 'matching'
  readonly plan: BatchPlan
  /** All that match this are meant, whatever is selected. */
  readonly filter?: ExpenseFilter
}

type BatchesInput = {
  rows: Rows
  filter: ExpenseFilter
  caller: ReviewCaller
  tell: (act: ReviewDecision, result: ActResult) => void
}

/** Does one thing with many expenses, and reports the outcome; unchanged ones stay selected. */
export function useBatches(deps: ReviewerDeps, input: BatchesInput): (act: ReviewDecision, work: BatchWork) => void {
  const { rows, caller, tell } = input
  const words = useWorkWords()
  const actOnMatching = (act: ReviewDecision, { plan, filter }: BatchWork) =>
    track(plan.count, async (options) => {
      const pages = () => matchingPages({ ...input, ...(filter ? { filter, isWhole: true } : {}), plan, mayMove: mayMove(act) })
      const result = await actOnPages(deps, { act, count: plan.count, pages }, options)
      useSelection.getState().change(() => setManySelected(clear(), result.failed, true))
      rows.refresh()
      return result
    })
  const actOnNamed = (act: ReviewDecision, { expenses, plan }: { expenses: readonly Expense[]; plan: BatchPlan }) =>
    track(plan.count, async (options) => {
      const result = await actOnRows(deps, { act, expenses: expenses.filter(mayMove(act)) }, options)
      useSelection.getState().change((before) =>
        setManySelected(
          before,
          result.done.map(({ uid }) => uid),
          false,
        ),
      )
      return result
    })
  const mayMove = (act: ReviewDecision) => (expense: Expense) =>
    judgeMove(expense, { target: targetOf(act), relation: caller.relationTo(expense) }) === 'allowed'
  return (act, work) => {
    const { expenses, plan } = work
    const running = expenses === 'matching' ? actOnMatching(act, work) : actOnNamed(act, { expenses, plan })
    running.then(
      (result) => {
        if (result.failure === undefined || result.done.length > 0) tell(act, result)
        if (result.failure !== undefined) notifyFailure(words.failure(result.failure))
      },
      (error: unknown) => notifyFailure(words.failure(error)),
    )
  }
}

type MatchingInput = BatchesInput & { plan: BatchPlan; isWhole?: boolean; mayMove: (expense: Expense) => boolean }

/** The expenses that a batch over all that match will move: those of the planned statuses, without the ones left out, as the reviewer saw them. */
async function* matchingPages({ filter, rows, plan, mayMove, isWhole = false }: MatchingInput) {
  const except = isWhole ? new Set<string>() : useSelection.getState().selection.except
  const listed = new Map(rows.source.loaded().map((uid) => [uid, findRow(uid)?.expense]))
  const asSeen = (expense: Expense) => listed.get(expense.uid) ?? expense
  for await (const page of listMatching(filter, plan.statuses)) {
    hearExpenses(page)
    yield page.filter((expense) => !except.has(expense.uid) && mayMove(expense)).map(asSeen)
  }
}
