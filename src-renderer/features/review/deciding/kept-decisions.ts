import { z } from 'zod'
import { type Expense, expenseRepresentation, expenseRoutes } from '#shared/contract/expenses'
import { isAsSeen } from '#renderer/records/expense/expense-moves'
import { ApiError, call } from '#renderer/api/client'
import { findRow, hearExpenses, type RowState, setRowStates, type Unsent, useExpenseStore } from '#renderer/records/expense/expense-store'
import { commentOf, foreseen, type Decision } from '#renderer/records/expense/deciding/decision'
import { onReset } from '#renderer/api/page/page-state'

const text = z.string()
const decision: z.ZodType<Decision> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('approve') }),
  z.object({ kind: z.literal('approve_part'), amount: z.number(), reason: text }),
  z.object({ kind: z.literal('reject'), reason: text }),
  z.object({ kind: z.literal('ask'), reason: text }),
  z.object({ kind: z.literal('move'), status: z.enum(['awaiting_analysis', 'analyzing', 'analyzed', 'liquidated']) }),
  z.object({ kind: z.literal('settle'), amount: z.number(), reason: text }),
  z.strictObject({ kind: z.literal('mark_noncompliant') }),
  z.object({ kind: z.literal('tolerate'), reason: text }),
])
const keptSchema = z.object({ act: decision, seen: expenseRepresentation })

const prefixOf = (user_uid: string) => `outlay.decision.${user_uid}.`

/** The decision that a row waits with, from its key press until its response. */
function unsentOf(state: RowState | undefined): Unsent | undefined {
  return state?.kind === 'saving' || state?.kind === 'refused' ? state.unsent : undefined
}

function read(key: string): Unsent | undefined {
  try {
    return keptSchema.safeParse(JSON.parse(localStorage.getItem(key) ?? 'null')).data
  } catch {
    return undefined
  }
}

function readAll(user_uid: string): Unsent[] {
  const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '')
  return keys.filter((key) => key.startsWith(prefixOf(user_uid))).flatMap((key) => read(key) ?? [])
}

/** How many decisions of a person have no response yet. */
export function countKeptDecisions(user_uid: string): number {
  return readAll(user_uid).length
}

function keep(user_uid: string, uid: string, unsent: Unsent | undefined): void {
  const key = prefixOf(user_uid) + uid
  if (!unsent) return localStorage.removeItem(key)
  try {
    localStorage.setItem(key, JSON.stringify(unsent))
  } catch {
    // This browser's storage is full: the row shows the decision until the page is left.
  }
}

/** Whether the server carried a decision out though its response was lost. */
function isDone({ act, seen }: Unsent, now: Expense): boolean {
  const isCommentMissing = commentOf(act) !== '' && now.comments_count === seen.comments_count
  return now.version !== seen.version && isAsSeen(now, foreseen(act, seen)) && !isCommentMissing
}

/** Shows decisions of an earlier page as not saved, then drops those that the server has after all. Nothing is sent. */
async function restore(kept: readonly Unsent[]): Promise<void> {
  const restored = new Map(kept.map((unsent) => [unsent.seen.uid, { kind: 'refused', reason: '', unsent } as const]))
  setRowStates([...restored].filter(([uid]) => !findRow(uid)?.state))
  for (const [uid, state] of restored) {
    const now = await call(expenseRoutes.show, { params: { id: state.unsent.seen.id } }).catch((error: unknown) => error)
    const isGone = now instanceof ApiError && now.status === 404
    const parsed = expenseRepresentation.safeParse(now).data
    if (parsed) hearExpenses([parsed])
    const isOver = isGone || (parsed !== undefined && isDone(state.unsent, parsed))
    if (isOver && findRow(uid)?.state === state) setRowStates([[uid, undefined]])
  }
}

let keptFor: string | undefined
let stopKeeping = () => {}
onReset(() => {
  stopKeeping()
  stopKeeping = () => {}
  keptFor = undefined
})

/**
 * Keeps the decisions of a person without a response on this device, and offers those of an earlier page again. It lasts as
 * long as the page: responses come after Review is left. What another tab settles is forgotten here too.
 */
export function keepDecisionsOf(user_uid: string): void {
  if (keptFor === user_uid) return
  stopKeeping()
  keptFor = user_uid
  const stopFollowing = useExpenseStore.subscribe(({ rows }, { rows: before }) => {
    for (const [uid, row] of rows) {
      if (row === before.get(uid)) continue
      const unsent = unsentOf(row.state)
      if (unsent !== unsentOf(before.get(uid)?.state)) keep(user_uid, uid, unsent)
    }
  })
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (newValue !== null || !key?.startsWith(prefixOf(user_uid))) return
    const uid = key.slice(prefixOf(user_uid).length)
    if (findRow(uid)?.state?.kind === 'refused') setRowStates([[uid, undefined]])
  }
  window.addEventListener('storage', onStorage)
  stopKeeping = () => {
    stopFollowing()
    window.removeEventListener('storage', onStorage)
    setRowStates([...useExpenseStore.getState().rows.keys()].map((uid) => [uid, undefined]))
  }
  void restore(readAll(user_uid))
}
