import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { Expense, ExpenseSummary } from '#shared/contract/expenses'
import { expenseKeys, type ExpenseFilter } from '../../../api/expenses'
import { isFullView, isShownInFull } from '../../../state/full-view'
import { notifyDone, notifyFailure } from '../../../state/notices'
import { addRefused } from '../../../state/undo-stack'
import { expenseArea } from '../../../records/expense/expense-moves'
import { now } from '../../../ui/values/clock'
import type { ReviewAction } from './review-actions'
import type { ActAsk } from './act-sheet'
import type { ReviewDecision } from './decision'
import { judgeMove, planForAll, planForRows, type PlanRule, type SkipKind } from './batch-plan'
import type { ReasonKind } from './recent-reasons'
import type { ReviewCaller } from '../review-caller'
import { actAgain, type ActResult, actOnRows, type ReviewerDeps } from './reviewer'
import { useProgress } from './runs'
import { enterStage } from './stage'
import { findRow, setRowStates, type Unsent } from '../list/row-store'
import { useAskedLater } from './use-asked-later'
import { useBatches, type BatchWork } from './use-batches'
import type { ReviewFocus } from '../list/use-review-focus'
import type { SelectedExpenses } from '../list/use-review-selection'
import type { Rows } from '../list/use-rows'
import { useWorkWords } from './work-words'

/** The foot of the list: nothing, a question before an act, or what a batch will do. */
export type Asking =
  | { readonly kind: 'none' }
  | { readonly kind: 'ask'; readonly ask: ActAsk; readonly work: BatchWork; readonly isBatch: boolean }
  | { readonly kind: 'confirm'; readonly act: ReviewDecision; readonly work: BatchWork; readonly rule: PlanRule }

/** The reviewer's work as the screen shows it and as the keys reach it. */
export type ReviewWork = {
  readonly asking: Asking
  readonly perform: (action: ReviewAction) => void
  readonly answer: (act: ReviewDecision) => void
  readonly cancel: () => void
  /** Sends again what got no response. */
  readonly retry: (unsent: readonly Unsent[]) => void
  /** Asks to approve all that match without findings. */
  readonly approveClean: () => void
}

/** `matching`: what all that match come to, by status. */
type WorkInput = {
  rows: Rows
  filter: ExpenseFilter
  matching: ExpenseSummary | undefined
  /** All that match without findings: how they are found, and what they come to. */
  clean: { readonly filter: ExpenseFilter; readonly matching: ExpenseSummary | undefined }
  caller: ReviewCaller
  selected: SelectedExpenses
  focus: ReviewFocus
  onActed: () => void
  onReason: (kind: ReasonKind, reason: string) => void
}

/** What an action asks first; undefined where it asks nothing. */
function questionOf(
  { does }: ReviewAction,
  { expense, plan }: { expense: Expense | undefined; plan: BatchWork['plan'] },
): ActAsk | undefined {
  if (does.kind === 'act') return undefined
  if (does.asks !== 'approve_part') return { kind: does.asks, plan }
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
  useEffect(
    () =>
      enterStage({
        source,
        onTravel: (uids) => onTravel(uids),
        onUnlisted: () => onUnlisted(),
      }),
    [source],
  )
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
function useNotify(): (act: ReviewDecision, result: ActResult) => void {
  const words = useWorkWords()
  return (act, result) => {
    if (result.done.length + result.met > 0 || result.isStopped) notifyDone(words.result(act, result), { actId: result.actId })
    else if (result.reason !== undefined)
      notifyFailure({ title: words.notDone(act, result.failed.length), message: result.reason })
  }
}

/** Sends again what got no response, and says the result. */
function retryWith(deps: ReviewerDeps, tell: (act: ReviewDecision, result: ActResult) => void) {
  return (unsent: readonly Unsent[]) => {
    for (const [act, result] of actAgain(deps, unsent)) void result.then((ended) => tell(act, ended))
  }
}

/** Asks about all that match, or about those without findings. */
function useAllQuestions(input: WorkInput, ask: (question: Asking) => void): (about: ReviewAction | 'clean') => void {
  const { counting: countingText } = useWorkWords()
  return useAskedLater<ReviewAction | 'clean', Asking>({
    make: (about) => (about === 'clean' ? questionOfClean(input) : questionOfMany(input, about)),
    ...{ ask, list: JSON.stringify(input.filter), countingText },
  })
}

/** The reviewer's work: one act on the focused expense or on the selected ones, its questions and progress. */
export function useReviewWork(input: WorkInput): ReviewWork {
  const { caller, selected, focus } = input
  const words = useWorkWords()
  useStage(input)
  const tell = useNotify()
  const isSeen = useIsSeen()
  const doMany = useBatches({ words }, { ...input, tell })
  const [asked, setAsking] = useState<Asking>({ kind: 'none' })
  const asking = withCurrentPlan(asked, input)
  const doOne = (act: ReviewDecision, expense: Expense) => {
    input.onActed()
    void actOnRows({ words }, { act, expenses: [expense] }).then((result) => tell(act, result))
  }
  const performOne = (action: ReviewAction, expense: Expense) => {
    const rule: PlanRule = { target: action.target, relation: caller.relationTo(expense) }
    const judged = judgeMove(expense, rule)
    if (judged === 'already' && isSaving(expense)) return
    if (judged !== 'allowed') return refuse(words, { expense, action, judged })
    const plan = planForRows([expense], rule)
    const ask = questionOf(action, { expense, plan })
    if (ask) setAsking({ kind: 'ask', ask, work: { expenses: [expense], plan }, isBatch: false })
    else if (action.does.kind === 'act') doOne(action.does.act, expense)
  }
  const askAll = useAllQuestions(input, (all) =>
    setAsking((now) => (useProgress.getState().progress || now.kind !== 'none' ? now : all)),
  )
  const perform = (action: ReviewAction) => {
    // What fills the window is decided alone: the selection is covered.
    const isOne = isFullView() || selected.count === 0 || action.isForOne === true
    if (!isOne) askAll(action)
    else if (focus.target && isSeen(focus.target)) performOne(action, focus.target)
  }
  const response = (act: ReviewDecision) => {
    setAsking({ kind: 'none' })
    if (asking.kind === 'none') return
    if ('reason' in act && act.reason !== '') input.onReason(act.kind, act.reason)
    const [only] = asking.work.expenses === 'matching' ? [] : asking.work.expenses
    if (asking.kind === 'ask' && !asking.isBatch) {
      if (only) doOne(act, only)
    } else if (asking.work.plan.count > 0) doMany(act, asking.work)
  }
  return {
    asking,
    perform,
    answer: response,
    cancel: () => setAsking({ kind: 'none' }),
    retry: retryWith({ words }, tell),
    approveClean: () => askAll('clean'),
  }
}

/** What to ask, or to say, before a batch; undefined until it is known what all that match come to. */
function questionOfMany(input: WorkInput, action: ReviewAction): Asking | undefined {
  const rule: PlanRule = { target: action.target, relation: input.caller.relation }
  const work = workOfSelected(input, rule)
  const ask = work && questionOf(action, { expense: undefined, plan: work.plan })
  if (ask && work.plan.count > 0) return { kind: 'ask', ask, work, isBatch: true }
  return work && { kind: 'confirm', act: actOf(action), work, rule }
}

/** What a batch does with the selected expenses. */
function workOfSelected({ selected, matching }: WorkInput, rule: PlanRule): BatchWork | undefined {
  if (!selected.isAll) return { expenses: selected.named, plan: planForRows(selected.named, rule) }
  return matching && { expenses: 'matching', plan: planForAll(matching, selected.named, rule) }
}

/** What to say before all that match without findings are approved; undefined until that is known. */
function questionOfClean({ clean: { filter, matching }, caller }: WorkInput): Asking | undefined {
  const rule: PlanRule = { target: 'approved', relation: caller.relation }
  return (
    matching && {
      kind: 'confirm',
      act: { kind: 'approve' },
      work: { expenses: 'matching', plan: planForAll(matching, [], rule), filter },
      rule,
    }
  )
}

/** The sums may still be read again after the last act: what a batch over all will do is said as they are now. */
function withCurrentPlan(
  asked: Asking,
  { selected, matching, clean }: Pick<WorkInput, 'selected' | 'matching' | 'clean'>,
): Asking {
  if (asked.kind !== 'confirm' || asked.work.expenses !== 'matching') return asked
  const [summary, except] = asked.work.filter ? [clean.matching, []] : [matching, selected.named]
  return summary ? { ...asked, work: { ...asked.work, plan: planForAll(summary, except, asked.rule) } } : asked
}

/** The act of an action as far as it is known before any question. */
function actOf({ does }: ReviewAction): ReviewDecision {
  if (does.kind === 'act') return does.act
  return { kind: does.asks === 'approve_part' ? 'reject' : does.asks, reason: '' }
}

function isSaving({ uid }: Expense): boolean {
  return findRow(uid)?.state?.kind === 'saving'
}

/** Says why an act is not sent. It keeps its place for undo, unless there was nothing to do. */
function refuse(
  words: ReturnType<typeof useWorkWords>,
  { expense, action: { id }, judged }: { expense: Expense; action: ReviewAction; judged: SkipKind },
): void {
  const reason = words.cannot(judged, { action: id, status: expense.status })
  if (judged !== 'already') addRefused({ area: expenseArea, label: words.action(id), at: now().toISOString() })
  setRowStates([[expense.uid, { kind: 'refused', reason }]])
  notifyDone(reason)
}
