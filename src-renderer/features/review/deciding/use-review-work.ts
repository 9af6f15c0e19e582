import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Expense } from '#shared/contract/expenses'
import { offeredStatuses } from '#shared/domain/expense-status'
import { expenseKeys, type ExpenseFilter } from '#renderer/api/expenses'
import { isFullView, isShownInFull } from '#renderer/state/full-view'
import { notifyDone, notifyFailure } from '#renderer/state/notices'
import { addRefused } from '#renderer/state/undo-stack'
import { expenseArea } from '#renderer/records/expense/expense-moves'
import { now } from '#renderer/ui/values/clock'
import { actOf, type ReviewAction } from './review-actions'
import type { ActAsk } from './act-sheet'
import type { Decision } from '#renderer/records/expense/deciding/decision'
import { planBatch, type Skipped } from '#renderer/records/expense/deciding/batch-plan'
import type { ReasonKind } from './recent-reasons'
import type { ReviewCaller } from '../review-caller'
import { actAgain, type ActResult, actOnRows, type ActDeps } from '#renderer/records/expense/deciding/act'
import { useProgress } from '#renderer/records/expense/deciding/runs'
import { enterStage } from '#renderer/records/expense/deciding/stage'
import { findRow, setRowStates, type Unsent } from '#renderer/records/expense/expense-store'
import { pagesOf, useBatches, type BatchWork } from './use-batches'
import { type Planned, unplanned, usePlanning } from '#renderer/records/expense/deciding/use-planned'
import type { ReviewFocus } from '../list/use-review-focus'
import type { SelectedExpenses } from '../list/use-review-selection'
import type { Rows } from '../list/use-rows'
import { useWorkWords } from './work-words'

/** What an act waits for, and what the server says that it would do; `action` where it is on one expense. */
type Question = { readonly work: BatchWork; readonly planned: Planned; readonly action?: ReviewAction }

/** The foot of the list: nothing, a question before an act, or what a batch will do. */
export type Asking =
  | { readonly kind: 'none' }
  | (Question & { readonly kind: 'ask'; readonly ask: ActAsk; readonly act: Decision })
  | (Question & { readonly kind: 'confirm'; readonly act: Decision })

/** The reviewer's work as the screen shows it and as the keys reach it. */
export type ReviewWork = {
  readonly asking: Asking
  readonly perform: (action: ReviewAction) => void
  readonly answer: (act: Decision) => void
  readonly cancel: () => void
  /** Sends again what got no response. */
  readonly retry: (unsent: readonly Unsent[]) => void
  /** Asks to approve all that match without findings. */
  readonly approveClean: () => void
}

/** `clean`: how all that match without findings are found. */
type WorkInput = {
  rows: Rows
  filter: ExpenseFilter
  clean: ExpenseFilter
  caller: ReviewCaller
  selected: SelectedExpenses
  focus: ReviewFocus
  onActed: () => void
  onReason: (kind: ReasonKind, reason: string) => void
}

/** What an action asks first; undefined where it asks nothing. */
function questionOf({ does }: ReviewAction, expense: Expense | undefined): ActAsk | undefined {
  if (does.kind === 'act') return undefined
  if (does.asks !== 'approve_part') return { kind: does.asks }
  return expense && { kind: 'approve_part', expense }
}

/** Has what undo and redo lead to show in this list, wherever the act was done. */
function useStage({ rows, focus }: Pick<WorkInput, 'rows' | 'focus'>): void {
  const { source } = rows
  const onTravel = useEffectEvent((uids: readonly string[]) => {
    const indexes = uids.map((uid) => source.indexOf(uid))
    const first = indexes.find((index) => index !== undefined)
    if (first !== undefined) focus.moveTo(first)
  })
  const onUnlisted = useEffectEvent(() => rows.refresh())
  useEffect(() => enterStage({ source, onTravel: (uids) => onTravel(uids), onUnlisted: () => onUnlisted() }), [source])
}

/** Whether the reviewer sees the expense: in full size only once it is loaded, which is said otherwise. */
function useIsSeen(): (expense: Expense) => boolean {
  const client = useQueryClient()
  const { notShownYet } = useWorkWords()
  return (expense) => {
    if (!isFullView() || isShownInFull(expense)) return true
    notifyDone(notShownYet)
    void client.invalidateQueries({ queryKey: expenseKeys.one(expense.id) }, { cancelRefetch: false })
    return false
  }
}

/** Says the result of an act: the same for one expense and for many. */
function useNotify(): (act: Decision, result: ActResult) => void {
  const words = useWorkWords()
  return (act, result) => {
    if (result.done.length + result.met > 0 || result.isStopped)
      notifyDone(words.result(act, result), { actId: result.actId, spoken: words.of(result) })
    else if (result.failed.length > 0) notifyFailure({ title: words.notDone(act, result.failed.length), message: words.reasons(result) })
  }
}

/** Sends again what got no response, and says the result. */
function retryWith(deps: ActDeps, tell: (act: Decision, result: ActResult) => void) {
  return (unsent: readonly Unsent[]) => {
    for (const [act, result] of actAgain(deps, unsent)) void result.then((ended) => tell(act, ended))
  }
}

/** What is asked, and how far the server is with saying what would be done. */
function useQuestions(input: WorkInput) {
  const words = useWorkWords()
  const [asking, setAsking] = useState<Asking>({ kind: 'none' })
  const { begin, end } = usePlanning()
  const close = () => {
    end()
    setAsking({ kind: 'none' })
  }
  const ask = (question: Exclude<Asking, { kind: 'none' }>) => {
    setAsking(question)
    const { act, work, action } = question
    begin({
      ...{ act, total: work.count, pages: pagesOf(work, input) },
      onPlanned: (planned) => {
        const [skipped] = planned.plan?.acting.length === 0 ? planned.plan.skipped : []
        const [only] = action && work.expenses !== 'matching' ? work.expenses : []
        if (action && only && skipped) {
          close()
          refuse(words, { expense: only, action, skipped })
        } else if (planned.plan?.acting.length === 0) setAsking({ kind: 'confirm', act, work, planned })
        else setAsking({ ...question, planned })
      },
      onFailure: (error) => {
        // What is about one expense is sent, or kept for later, without a plan too.
        if (action) return
        close()
        notifyFailure(words.unplanned(error))
      },
    })
  }
  return { asking, ask, close }
}

type OneActs = Pick<WorkInput, 'caller'> & { ask: ReturnType<typeof useQuestions>['ask']; doOne: (act: Decision, expense: Expense) => void }

/** Does an action on one expense, or asks what it needs first; where the page knows that it cannot be done, the server says why. */
function oneActs({ words }: { words: ReturnType<typeof useWorkWords> }, { caller, ask, doOne }: OneActs) {
  return (action: ReviewAction, expense: Expense) => {
    const act = actOf(action, expense)
    const question = questionOf(action, expense)
    const work: BatchWork = { expenses: [expense], count: 1 }
    const go = () => (question ? ask({ kind: 'ask', ask: question, act, work, action, planned: unplanned(1) }) : doOne(act, expense))
    if (offeredStatuses(expense, caller.relationTo(expense)).includes(action.target)) return go()
    if (expense.status === action.target && isSaving(expense)) return
    planBatch(act, [[expense]]).then(
      ({ skipped: [skipped] }) => (skipped ? refuse(words, { expense, action, skipped }) : go()),
      (error: unknown) => notifyFailure(words.unplanned(error)),
    )
  }
}

/** The reviewer's work: one act on the focused expense or on the selected ones, its questions and progress. */
export function useReviewWork(input: WorkInput): ReviewWork {
  const { caller, selected, focus } = input
  const words = useWorkWords()
  useStage(input)
  const tell = useNotify()
  const isSeen = useIsSeen()
  const doMany = useBatches({ words }, { ...input, tell })
  const { asking, ask, close } = useQuestions(input)
  const doOne = (act: Decision, expense: Expense) => {
    input.onActed()
    void actOnRows({ words }, { act, expenses: [expense] }).then((result) => tell(act, result))
  }
  const performOne = oneActs({ words }, { caller, ask, doOne })
  const askMany = (question: ActAsk | undefined, act: Decision, work: BatchWork) => {
    if (useProgress.getState().progress) return notifyDone(words.busy)
    const planned = unplanned(work.count)
    ask(question ? { kind: 'ask', ask: question, act, work, planned } : { kind: 'confirm', act, work, planned })
  }
  const perform = (action: ReviewAction) => {
    // What fills the window is decided alone: the selection is covered.
    const isOne = isFullView() || selected.count === 0 || action.isForOne === true
    const expenses = selected.isAll ? 'matching' : selected.named
    if (!isOne) askMany(questionOf(action, undefined), actOf(action), { expenses, count: selected.count })
    else if (focus.target && isSeen(focus.target)) performOne(action, focus.target)
  }
  const answer = (act: Decision) => {
    if (asking.kind === 'none') return
    const { work, planned, action } = asking
    const [only] = action && work.expenses !== 'matching' ? work.expenses : []
    if (!only && !planned.plan) return
    close()
    if ('reason' in act && act.kind !== 'settle' && act.reason !== '') input.onReason(act.kind, act.reason)
    if (only) doOne(act, only)
    else if (planned.plan && planned.plan.acting.length > 0) doMany(act, { work, plan: planned.plan })
  }
  return {
    asking,
    perform,
    answer,
    cancel: close,
    retry: retryWith({ words }, tell),
    approveClean: () => askMany(undefined, { kind: 'approve' }, { expenses: 'matching', count: undefined, filter: input.clean }),
  }
}

function isSaving({ uid }: Expense): boolean {
  return findRow(uid)?.state?.kind === 'saving'
}

/** Says why an act is not sent. It keeps its place for undo, unless there was nothing to do. */
function refuse(
  words: ReturnType<typeof useWorkWords>,
  { expense, action: { id }, skipped }: { expense: Expense; action: ReviewAction; skipped: Skipped },
): void {
  const reason = words.cannot(skipped, id)
  if (skipped.reason !== 'already') addRefused({ area: expenseArea, label: words.action(id), at: now().toISOString() })
  setRowStates([[expense.uid, { kind: 'refused', reason }]])
  notifyDone(reason)
}
