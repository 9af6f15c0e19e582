import type { Expense } from '#shared/contract/expenses'
import type { ExpenseFilter } from '#renderer/api/expenses'
import { clear, setManySelected } from '#renderer/state/review-selection'
import { useSelection } from '#renderer/state/selection'
import { notifyFailure } from '#renderer/state/notices'
import type { Decision } from '#renderer/records/expense/deciding/decision'
import { inSlices, type BatchPlan, type ExpensePages } from '#renderer/records/expense/deciding/batch-plan'
import { listMatching } from '../list/list-matching'
import { type ActResult, actOnPages, actOnRows, type ActDeps } from '#renderer/records/expense/deciding/act'
import { findRow, hearExpenses } from '#renderer/records/expense/expense-store'
import type { Rows } from '../list/use-rows'
import { oneAhead } from '#renderer/records/expense/deciding/one-ahead'
import { track } from '#renderer/records/expense/deciding/runs'
import { useWorkWords } from './work-words'

/** What a batch works on: these expenses, or all that match but those named in the selection. */
export type BatchWork = {
  readonly expenses: readonly Expense[] | 'matching'
  /** How many, where that is known. */
  readonly count: number | undefined
  /** All that match this are meant, whatever is selected. */
  readonly filter?: ExpenseFilter
}

type BatchesInput = { rows: Rows; tell: (act: Decision, result: ActResult) => void }

/** Does what was planned for many expenses, and reports the outcome; unchanged ones stay selected. */
export function useBatches(
  deps: ActDeps,
  { rows, tell }: BatchesInput,
): (act: Decision, done: { work: BatchWork; plan: BatchPlan }) => void {
  const words = useWorkWords()
  const { change } = useSelection.getState()
  const actOnMatching = (act: Decision, { acting }: BatchPlan) =>
    track(acting.length, async (options) => {
      const result = await actOnPages(deps, { act, count: acting.length, pages: () => inSlices(acting) }, options)
      change(() => setManySelected(clear(), result.failed, true))
      rows.refresh()
      return result
    })
  const actOnNamed = (act: Decision, { acting }: BatchPlan) =>
    track(acting.length, async (options) => {
      const result = await actOnRows(deps, { act, expenses: acting }, options)
      const done = result.done.map(({ uid }) => uid)
      change((before) => setManySelected(before, done, false))
      return result
    })
  return (act, { work: { expenses }, plan }) => {
    const running = expenses === 'matching' ? actOnMatching(act, plan) : actOnNamed(act, plan)
    running.then(
      (result) => {
        if (result.failure === undefined || result.done.length > 0) tell(act, result)
        if (result.failure !== undefined) notifyFailure(words.failure(result.failure))
      },
      (error: unknown) => notifyFailure(words.failure(error)),
    )
  }
}

/** The expenses of a batch as the reviewer saw them, page by page. `filter`: of the list. */
export function pagesOf({ expenses, filter: own }: BatchWork, { filter, rows }: { filter: ExpenseFilter; rows: Rows }): ExpensePages {
  if (expenses !== 'matching') return inSlices(expenses)
  const except = own ? new Set<string>() : useSelection.getState().selection.except
  const listed = new Map(rows.source.loaded().map((uid) => [uid, findRow(uid)?.expense]))
  async function* pages() {
    for await (const page of listMatching(own ?? filter)) {
      hearExpenses(page)
      yield page.filter(({ uid }) => !except.has(uid)).map((expense) => listed.get(expense.uid) ?? expense)
    }
  }
  return oneAhead(pages())
}
