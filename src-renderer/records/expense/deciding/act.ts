import i18next from 'i18next'
import type { Expense } from '#shared/contract/expenses'
import { isFinal } from '#shared/domain/expense-status'
import { expenseArea, isAsSeen, stepsBack } from '../expense-moves'
import { type ExpensePlan, type Pair, type PlanPages, reasonOf } from '../expense-writes'
import { ApiError } from '#renderer/api/client'
import { addAct, addFinal, forgetAct, refuseAct, relabelAct } from '#renderer/state/undo-stack'
import { now } from '#renderer/ui/values/clock'
import type { ExpensePages, RunOptions } from './batch-plan'
import { foreseen, stepsOf, targetOf, type Decision } from './decision'
import { findRow, type Unsent } from '../expense-store'
import { track } from './runs'
import { type ActOutcome, afterTravel, travelTo, writeInTurn } from './stage'

/** The outcome of many writes. `met`: how many someone else had changed in the same way; `failed`: expenses that stay unchanged, by uid; `reasons`: why each of them does. */
export type WriteResult = {
  readonly done: readonly Expense[]
  readonly met: number
  readonly failed: readonly string[]
  readonly reasons: readonly string[]
  readonly isStopped: boolean
}

/** The words for acts, in the user's language. `later`: why an expense is left unchanged. */
export type ActWords = {
  readonly done: (act: Decision, count: number) => string
  readonly travelled: (kind: 'undo' | 'redo', act: Decision, result: WriteResult) => string
  readonly later: string
}

/** The usual words for acts: `done` says what was done. */
export function plainWords(done: ActWords['done']): ActWords {
  const what = (act: Decision, { done: expenses }: WriteResult) => done(act, expenses.length).replace(/\.$/, '')
  return {
    done,
    travelled: (kind, act, result) => i18next.t(`ui:history.${kind}`, { what: what(act, result) }),
    later: i18next.t('ui:history.later'),
  }
}

/** What acting needs. `area`: the part of Outlay whose keys undo it; `about`: the record whose end also ends the way back. */
export type ActDeps = { readonly words: ActWords; readonly area?: string; readonly about?: string }

/** An act that can be undone and redone: as soon as it was requested, whether or not it has completed. */
type Entry = { readonly act: Decision; readonly uids: readonly string[] | 'all'; readonly seen: readonly Expense[]; pairs: readonly Pair[] }

/** The result of an act; `actId`: under which it can be undone; `failure`: why it ended before all was read. */
export type ActResult = WriteResult & { readonly actId: number | undefined; readonly failure?: unknown }

const pairsOf = (outcomes: readonly ActOutcome[]) =>
  outcomes.flatMap((outcome): Pair[] => (outcome.kind === 'done' ? [{ before: outcome.before, after: outcome.expense }] : []))

function toResult({ outcomes, isStopped }: { outcomes: readonly ActOutcome[]; isStopped: boolean }): WriteResult {
  return {
    done: outcomes.flatMap((outcome) => (outcome.kind === 'done' ? [outcome.expense] : [])),
    met: outcomes.filter(({ kind }) => kind === 'met').length,
    failed: outcomes.flatMap(({ kind, uid }) => (kind === 'refused' || kind === 'changed' ? [uid] : [])),
    reasons: outcomes.flatMap((outcome) => reasonOf(outcome) ?? []),
    isStopped,
  }
}

const canTravel = ({ act }: Entry): boolean => !isFinal(targetOf(act))

/** Keeps an act for undo from the moment it is asked for; where no way leads back, its place until its answer comes. */
function keep(deps: ActDeps, entry: Entry, count: number): number {
  const { words, area = expenseArea, about } = deps
  const act = { area, about, label: words.done(entry.act, count), at: now().toISOString() }
  if (!canTravel(entry)) return addFinal(act)
  return addAct({ ...act, undo: () => travel(deps, entry, 'undo'), redo: () => travel(deps, entry, 'redo') })
}

async function perform(
  deps: ActDeps,
  entry: Entry,
  work: { count: number; pages: () => PlanPages; options: RunOptions },
): Promise<ActResult> {
  const { seen } = entry
  const saving = seen.map((expense) => foreseen(entry.act, expense))
  if (work.count === 0) return { done: [], met: 0, failed: [], reasons: [], isStopped: false, actId: undefined }
  const actId = keep(deps, entry, work.count)
  const onEnd = (outcomes: readonly ActOutcome[]) => {
    entry.pairs = pairsOf(outcomes)
    noteOutcome(deps, { actId, entry, outcomes })
  }
  const written = await writeInTurn({ ...work, act: entry.act, uids: entry.uids, seen, saving, onEnd })
  if (written.failure !== undefined && written.outcomes.length === 0) refuseAct(actId)
  const isKept = entry.pairs.length > 0 && canTravel(entry)
  return { ...toResult(written), actId: isKept ? actId : undefined, failure: written.failure }
}

/** Names an act by what came of it; one that came to nothing keeps its place, unless it was the same act sent twice, or was stopped. */
function noteOutcome(
  { words }: ActDeps,
  { actId, entry, outcomes }: { actId: number; entry: Entry; outcomes: readonly ActOutcome[] },
): void {
  const { act, pairs, seen } = entry
  const isTwice = ({ kind, uid, expense }: ActOutcome) => {
    const shown = seen.find((known) => known.uid === uid)
    return kind === 'skipped' && shown !== undefined && isAsSeen(expense, foreseen(act, shown))
  }
  if (pairs.length > 0 && canTravel(entry)) relabelAct(actId, words.done(act, pairs.length))
  else if (pairs.length > 0 || outcomes.every(isTwice)) forgetAct(actId)
  else refuseAct(actId)
}

/** Whether an expense is still shown as it was when the act was requested: the same act sent twice is one. */
function isShown(seen: Expense): boolean {
  const state = findRow(seen.uid)?.state
  return state?.kind !== 'saving' || isAsSeen(state.expense, seen)
}

/** Does one thing with known expenses: the rows show it at once, and it is written when its turn comes. */
export function actOnRows(
  deps: ActDeps,
  { act, expenses: wanted }: { act: Decision; expenses: readonly Expense[] },
  options: RunOptions = {},
): Promise<ActResult> {
  const expenses = wanted.filter(isShown)
  const entry: Entry = { act, uids: expenses.map(({ uid }) => uid), seen: expenses, pairs: [] }
  const plans = expenses.map((seen): ExpensePlan => ({ seen, steps: () => stepsOf(act) }))
  return perform(deps, entry, { count: expenses.length, pages: () => [plans], options })
}

/** Does one thing with expenses as they are read, page by page; `pages` has only those that can be moved. */
export async function actOnPages(
  deps: ActDeps,
  work: { act: Decision; count: number; pages: () => ExpensePages },
  options: RunOptions,
): Promise<ActResult & { readonly read: ReadonlyMap<string, Expense> }> {
  const { act, count } = work
  const read = new Map<string, Expense>()
  async function* pages() {
    for await (const page of work.pages()) {
      for (const expense of page) read.set(expense.uid, expense)
      yield page.map((seen): ExpensePlan => ({ seen, steps: () => stepsOf(act) }))
    }
  }
  const result = await perform(deps, { act, uids: 'all', seen: [], pairs: [] }, { count, pages, options })
  return { ...result, read }
}

/** Sends again the acts that got no response: each is carried out only if its expense is still as the reviewer saw it. */
export function actAgain(deps: ActDeps, unsent: readonly Unsent[]): ReadonlyArray<readonly [Decision, Promise<ActResult>]> {
  const byAct = Map.groupBy(unsent, ({ act }) => JSON.stringify(act))
  return [...byAct.values()].flatMap((group) => {
    const act = group[0]?.act
    return act ? [[act, actOnRows(deps, { act, expenses: group.map(({ seen }) => seen) })] as const] : []
  })
}

/** The act without its words: they were said the first time. */
function withoutReason(act: Decision): Decision {
  return 'reason' in act ? { ...act, reason: '' } : act
}

/** Whether an expense is as it was before undo or redo: not tried, or tried without a response. */
function isOpen(outcome: ActOutcome | undefined): boolean {
  return !outcome || (outcome.kind === 'refused' && outcome.isUnknown)
}

/** What an undo did not reach can still be undone. */
function keepRest(deps: ActDeps, { entry, open, kind }: { entry: Entry; open: readonly Pair[]; kind: 'undo' | 'redo' }) {
  if (kind === 'redo') return
  const uids = open.map(({ after }) => after.uid)
  keep(deps, { ...entry, uids, seen: entry.seen.filter(({ uid }) => uids.includes(uid)), pairs: open }, open.length)
}

/** Undoes an act or does it again, after all that was asked for before. Returns the words for it; throws when no answer came. */
async function travel(deps: ActDeps, entry: Entry, kind: 'undo' | 'redo'): Promise<string> {
  const { act, seen } = entry
  const again = withoutReason(act)
  const plan = ({ before, after }: Pair): ExpensePlan =>
    kind === 'undo'
      ? { seen: after, steps: (expense) => stepsBack({ before, after: expense }) }
      : { seen: before, steps: () => stepsOf(again) }
  const acted = seen.map((expense) => foreseen(act, expense))
  const saving = kind === 'undo' ? seen : acted
  travelTo(entry.uids === 'all' ? entry.pairs.map(({ after }) => after.uid) : entry.uids)
  let asked: readonly Pair[] = []
  let open: readonly Pair[] = []
  const written = await track(entry.pairs.length, (options) =>
    writeInTurn({
      uids: entry.uids,
      seen: kind === 'undo' ? acted : seen,
      saving,
      skipReason: deps.words.later,
      options,
      pages: () => {
        asked = entry.pairs
        return [asked.map(plan)]
      },
      onEnd: (outcomes) => {
        const byUid = new Map(outcomes.map((outcome) => [outcome.uid, outcome]))
        open = asked.filter(({ after }) => isOpen(byUid.get(after.uid)))
        if (open.length < asked.length) entry.pairs = asked.filter(({ after }) => byUid.get(after.uid)?.kind === 'done')
      },
    }),
  )
  const result = toResult(written)
  afterTravel(result.done.map(({ uid }) => uid))
  if (asked.length === 0) return ''
  const [reason] = result.reasons
  if (open.length === asked.length) throw new ApiError(0, reason ?? '')
  if (open.length > 0) keepRest(deps, { entry, open, kind })
  return result.done.length === 0 ? (reason ?? deps.words.later) : deps.words.travelled(kind, act, result)
}
