import i18next from 'i18next'
import { create } from 'zustand'
import { ApiError } from '../api/client'
import { failureText } from '../api/failure-text'
import { notifyDone, notifyFailure } from './notices'
import { onReset } from '../api/page/page-state'

/**
 * Something that was done and can be undone. `area`: the part of Outlay whose keys undo it. `label`: what it was, in the user's
 * language. `at`: ISO 8601. `undo` and `redo` resolve when it has come about, with the words for it where they are not the usual
 * ones (none: it says so itself), and throw when it has not. `about`: the uid of a record whose end also ends the act.
 */
export type UndoableAct = {
  readonly id: number
  readonly area: string
  readonly label: string
  readonly at: string
  readonly about?: string | undefined
  readonly undo: () => Promise<unknown>
  readonly redo?: (() => Promise<unknown>) | undefined
}

type StackName = 'done' | 'undone'
/** `refused`: ids of acts that did not come about, newest first. */
type Stacks = Readonly<Record<StackName, readonly UndoableAct[]>> & { readonly lastId: number; readonly refused: readonly number[] }

/** How many acts are kept. */
const longest = 50

/** What can be undone in this window, and what can be done again; newest first. */
export const useUndoStack = create<Stacks>()(() => ({ done: [], undone: [], lastId: 0, refused: [] }))
// Ids go on: a timer may still be about an act from before.
onReset(() => useUndoStack.setState({ done: [], undone: [], refused: [] }))

const without = (acts: readonly UndoableAct[], id: number) => acts.filter((act) => act.id !== id)

/** Adds an act; what was undone in its area cannot be done again any more. Returns its id. */
export function addAct(act: Omit<UndoableAct, 'id'>): number {
  const id = useUndoStack.getState().lastId + 1
  useUndoStack.setState(({ done, undone }) => ({
    done: [{ ...act, id }, ...done].slice(0, longest),
    undone: undone.filter(({ area }) => area !== act.area),
    lastId: id,
  }))
  return id
}

/** Changes what an act is called, wherever it is by now. */
export function relabelAct(id: number, label: string): void {
  const relabel = (acts: readonly UndoableAct[]) => acts.map((act) => (act.id === id ? { ...act, label } : act))
  useUndoStack.setState(({ done, undone }) => ({ done: relabel(done), undone: relabel(undone) }))
}

/**
 * Notes that an act did not come about. It keeps its place among what can be undone: the undo that was meant for it says so, and takes
 * nothing else back. Where undo was asked for already, nothing of it is left to do again.
 */
export function refuseAct(id: number): void {
  useUndoStack.setState(({ undone, refused }) => ({ undone: without(undone, id), refused: [id, ...refused].slice(0, longest) }))
}

/** Adds an act that nothing takes back: it has a place until its answer comes, so that an undo at once is not about the act before. */
export function addFinal(act: Omit<UndoableAct, 'id' | 'undo'>): number {
  return addAct({ ...act, undo: () => Promise.resolve(i18next.t('ui:history.final', { what: inSentence(act.label) })) })
}

/** Keeps the place of an act that was refused before it could be added. */
export function addRefused(act: Pick<UndoableAct, 'area' | 'label' | 'at'>): void {
  refuseAct(addAct({ ...act, undo: () => Promise.resolve('') }))
}

/** Whether an act was refused: there is nothing to undo. */
export function isRefused({ refused }: Pick<Stacks, 'refused'>, id: number): boolean {
  return refused.includes(id)
}

/** Removes an act that can no longer be undone. */
export function forgetAct(id: number): void {
  useUndoStack.setState(({ done, undone }) => ({ done: without(done, id), undone: without(undone, id) }))
}

/** Removes the acts about a record with which nothing can be undone any more. */
export function forgetActsAbout(uid: string): void {
  const rest = (acts: readonly UndoableAct[]) => acts.filter(({ about }) => about !== uid)
  useUndoStack.setState(({ done, undone }) => ({ done: rest(done), undone: rest(undone) }))
}

function put(act: UndoableAct, to: StackName): void {
  forgetAct(act.id)
  useUndoStack.setState((stacks) => ({ [to]: [act, ...stacks[to]] }))
}

/** Whether there is an act of the area to undo, or to do again. */
export function hasAct(stack: StackName, wanted: string): boolean {
  return useUndoStack.getState()[stack].some(({ area }) => area === wanted)
}

function take(stack: StackName, wanted: { area: string; id?: number | undefined }): UndoableAct | undefined {
  return useUndoStack.getState()[stack].find(({ area, id }) => area === wanted.area && id === (wanted.id ?? id))
}

/**
 * Undoes an act, by default the last of the area. The stacks change at once, so that the next press is about the act before,
 * however long the work takes. Returns whether there was one.
 */
export function undoAct(area: string, id?: number): boolean {
  const act = take('done', { area, id })
  if (!act) return false
  if (isRefused(useUndoStack.getState(), act.id)) {
    forgetAct(act.id)
    tellNotDone(act)
    return true
  }
  if (act.redo) put(act, 'undone')
  else forgetAct(act.id)
  void carryOut(act, 'undo', act.undo)
  return true
}

/** Does an act again, by default the last of the area that was undone. */
export function redoAct(area: string, id?: number): void {
  const act = take('undone', { area, id })
  if (!act?.redo) return
  put(act, 'done')
  void carryOut(act, 'redo', act.redo)
}

function tellNotDone(act: UndoableAct): void {
  notifyDone(i18next.t('ui:history.notDone', { what: nameOf(act) }))
}

async function carryOut(act: UndoableAct, direction: 'undo' | 'redo', work: () => Promise<unknown>): Promise<void> {
  try {
    const words = await work()
    if (isRefused(useUndoStack.getState(), act.id)) return tellNotDone(act)
    const message = typeof words === 'string' ? words : i18next.t(`ui:history.${direction}`, { what: nameOf(act) })
    if (message !== '') notifyDone(message, direction === 'redo' ? { actId: act.id } : {})
  } catch (error) {
    if (isRefused(useUndoStack.getState(), act.id)) return tellNotDone(act)
    const isUnknown = error instanceof ApiError && (error.status === 0 || error.status >= 500)
    if (isUnknown) put(act, direction === 'undo' ? 'done' : 'undone')
    notifyFailure({ title: i18next.t(`ui:history.${direction}Failed`, { what: nameOf(act) }), message: failureText(error) })
  }
}

/** What an act is called by now. */
function labelOf(act: Pick<UndoableAct, 'id' | 'label'>): string {
  const { done, undone } = useUndoStack.getState()
  return ([...done, ...undone].find(({ id }) => id === act.id) ?? act).label
}

const inSentence = (label: string) => label.replace(/\.$/, '')

function nameOf(act: UndoableAct): string {
  return inSentence(labelOf(act))
}

/**
 * How long an act can be undone, where there is an end to it; and `after`: whether it comes about, where that is not known yet; undefined:
 * the same was asked for before. It can be undone at once all the same: who presses undo at once means this act and not the one before,
 * also where it is refused. `about`: as of the act.
 */
export type OfferOptions = { readonly lastsMs?: number; readonly after?: Promise<boolean | undefined>; readonly about?: string }

/** An act to offer. `undo`: null where nothing takes it back: it has its place only until its answer comes, or when it is refused. */
export type OfferedAct = Omit<UndoableAct, 'id' | 'undo'> & { readonly undo: UndoableAct['undo'] | null }

/** Shows what was done, with a way to undo it. Returns the id of the act. */
export function offerUndo({ undo, ...act }: OfferedAct, { lastsMs, after = Promise.resolve(true), about }: OfferOptions = {}): number {
  const isFinal = undo === null
  const actId = undo === null ? addFinal({ ...act, about }) : addAct({ ...act, about, undo })
  if (lastsMs !== undefined) setTimeout(() => forgetAct(actId), lastsMs)
  void after.then(
    (isDone) => {
      const label = labelOf({ ...act, id: actId })
      if (isDone === false) return refuseAct(actId)
      if (isFinal || isDone === undefined) forgetAct(actId)
      if (isDone === true) notifyDone(label, isFinal ? {} : { actId })
    },
    () => refuseAct(actId),
  )
  return actId
}
