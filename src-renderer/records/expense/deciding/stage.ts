import type { Expense } from '#shared/contract/expenses'
import { asOneWrite } from '#renderer/api/own-writes'
import { onReset } from '#renderer/api/page/page-state'
import { expenseQueue } from '../expense-moves'
import { carryOut, type PlanOutcome, type PlanPages } from '../expense-writes'
import { isMet } from './changes'
import { foreseen, type Decision } from './decision'
import { findRow, hearExpenses, noteOutcomes, outcomeOf, setRowStates, type RowState, type Unsent } from '../expense-store'
import { nextTask, oneAhead } from './one-ahead'
import type { RunOptions } from './batch-plan'

/**
 * The list on the screen, where acts show. `source`: where an expense is in it, and what keeps it from being read half before a write and
 * half after. `onTravel`: undo or redo begins with these; `onUnlisted`: it changed expenses that are not in the list.
 */
export type Stage = {
  readonly source: {
    readonly indexOf: (uid: string) => number | undefined
    readonly duringWrite: <T>(write: () => Promise<T>) => Promise<T>
  }
  readonly onTravel: (uids: readonly string[]) => void
  readonly onUnlisted: () => void
}

/** Acts outlive the list that they were done on: what they lead to shows on the one that is there by then. */
let stage: Stage | null = null
onReset(() => (stage = null))

/** Says which list is on the screen; returns what says that it is gone. */
export function enterStage(entered: Stage): () => void {
  stage = entered
  return () => {
    if (stage === entered) stage = null
  }
}

/** Shows where undo or redo happens. */
export function travelTo(uids: readonly string[]): void {
  stage?.onTravel(uids)
}

/** Reads the list again when undo or redo was about expenses that are not in it. */
export function afterTravel(uids: readonly string[]): void {
  if (stage && uids.some((uid) => stage?.source.indexOf(uid) === undefined)) stage.onUnlisted()
}

/** The outcome of an act. `met`: someone else did the same first. */
export type ActOutcome = PlanOutcome | { readonly kind: 'met'; readonly uid: string; readonly expense: Expense }

/**
 * Ordered writes. `uids`: the records that wait for them, `all` while unknown; `seen`: the expenses as the reviewer saw them;
 * `saving`: how they are shown until then; `skipReason`: why an expense that no longer matches the plan is skipped, if it is to be shown.
 */
export type Turn = {
  readonly uids: readonly string[] | 'all'
  readonly seen: readonly Expense[]
  readonly saving: readonly Expense[]
  readonly pages: () => PlanPages
  readonly skipReason?: string
  /** The act that is kept for another try where no response comes. */
  readonly act?: Decision
  readonly options: RunOptions
  /** Gets the outcome before the next one has its turn. */
  readonly onEnd: (outcomes: readonly ActOutcome[]) => void
}

type StateWords = Pick<Turn, 'skipReason' | 'act'> & { readonly seen: Expense | undefined }

/** An act to offer again: undo and redo are none, and stay in their list. */
function unsentOf(act: Decision | undefined, seen: Expense | undefined): { unsent?: Unsent } {
  return act && seen ? { unsent: { act, seen } } : {}
}

function stateOf(outcome: ActOutcome, { seen, skipReason, act }: StateWords): RowState | undefined {
  switch (outcome.kind) {
    case 'met':
      return undefined
    case 'done':
      return { kind: 'settled' }
    case 'changed':
      return { kind: 'changed', seen: seen ?? outcome.expense }
    case 'refused':
      return { kind: 'refused', reason: outcome.reason, ...(outcome.isUnknown && unsentOf(act, seen)) }
    case 'skipped': {
      // What was refused is not hidden by what was skipped for it.
      const before = outcomeOf(outcome.uid)
      if (before && before.kind !== 'settled') return before
      return skipReason === undefined ? { kind: 'settled' } : { kind: 'refused', reason: skipReason }
    }
  }
}

function toActOutcome(outcome: PlanOutcome, { act, seen }: StateWords): ActOutcome {
  return outcome.kind === 'changed' && act && seen && isMet(act, seen, outcome.expense) ? { ...outcome, kind: 'met' } : outcome
}

/** What came of a turn. `failure`: why no more pages could be read; what was written before stays. */
export type Written = { readonly outcomes: ActOutcome[]; readonly isStopped: boolean; readonly failure?: unknown }

/** The pages of a turn whose expenses become known as they are read: an act on them is shown, and kept, before it is sent. */
async function* announced({ uids, act, pages, options }: Turn, seen: Map<string, Expense>) {
  for await (const page of pages()) {
    if (options.signal?.aborted) return
    if (act && uids === 'all') {
      for (const plan of page) seen.set(plan.seen.uid, plan.seen)
      setRowStates(page.map((plan) => [plan.seen.uid, { kind: 'saving', expense: foreseen(act, plan.seen), ...unsentOf(act, plan.seen) }]))
    }
    yield page
  }
}

/** Writes in turn and yields nothing but the outcomes; each row shows its own as soon as nothing else waits for it. */
export function writeInTurn(turn: Turn): Promise<Written> {
  const { uids, saving, options } = turn
  const seen = new Map(turn.seen.map((expense) => [expense.uid, expense]))
  const ownTurns = uids === 'all' ? 0 : 1
  const isWaiting = (uid: string) => expenseQueue.waiting(uid) > ownTurns
  hearExpenses(turn.seen.filter(({ uid }) => !findRow(uid)))
  setRowStates(saving.map((expense) => [expense.uid, { kind: 'saving', expense, ...unsentOf(turn.act, seen.get(expense.uid)) }]))
  const write = async () => {
    const outcomes: ActOutcome[] = []
    const slices = carryOut(oneAhead(announced(turn, seen)))
    let failure: unknown
    const writeNext = () => {
      const next = () => slices.next()
      return (stage ? stage.source.duringWrite(next) : next()).catch((error: unknown) => {
        failure = error
        return undefined
      })
    }
    const isAborted = () => options.signal?.aborted === true
    let isStopped = isAborted()
    let coming = isStopped ? undefined : writeNext()
    while (coming) {
      const slice = await coming
      if (slice === undefined || slice.done === true) break
      isStopped = isAborted()
      coming = isStopped ? undefined : writeNext()
      // The server has the next slice while the rows of this one are drawn.
      if (coming) await Promise.race([coming, nextTask()])
      const ended = slice.value.map((outcome) => {
        const words = { seen: seen.get(outcome.uid), skipReason: turn.skipReason, act: turn.act }
        const acted = toActOutcome(outcome, words)
        return { acted, state: stateOf(acted, words) }
      })
      hearExpenses(slice.value.flatMap(({ expense }) => expense ?? []))
      outcomes.push(...ended.map(({ acted }) => acted))
      noteOutcomes(
        ended.map(({ acted, state }) => [acted.uid, state]),
        isWaiting,
      )
      options.onDone?.(outcomes.length)
    }
    const ended = new Set(outcomes.map(({ uid }) => uid))
    const open = [...seen.keys()].filter((uid) => !ended.has(uid))
    noteOutcomes(
      open.map((uid) => [uid, outcomeOf(uid)]),
      isWaiting,
    )
    turn.onEnd(outcomes)
    return { outcomes, isStopped, failure }
  }
  return expenseQueue.run(uids, () => asOneWrite(write))
}
