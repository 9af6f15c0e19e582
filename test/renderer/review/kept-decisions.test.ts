import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Json } from '#test/support/instance'
import { countKeptDecisions, keepDecisionsOf } from '../../../src-renderer/features/review/deciding/kept-decisions'
import { useWorkWords } from '../../../src-renderer/features/review/deciding/work-words'
import { useReasonText } from '../../../src-renderer/features/review/list/row-note'
import { resetPage } from '../../../src-renderer/api/page/page-state'
import { actAgain, actOnPages } from '#renderer/records/expense/deciding/act'
import { planBatch } from '#renderer/records/expense/deciding/batch-plan'
import { findRow, setRowStates, type Unsent, useExpenseStore } from '#renderer/records/expense/expense-store'
import { readHook } from '../read-hook'
import { deps, type Sequences, startSequences } from './sequences'

/** Decisions without a response, over loads of the page: what it keeps on the device, and what it sends. */

let own: Sequences
beforeAll(async () => {
  own = await startSequences()
})
afterAll(async () => {
  resetPage()
  await own.end()
})
beforeEach(() => {
  own.begin()
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
    key: (index: number) => [...stored.keys()][index] ?? null,
    get length() {
      return stored.size
    },
  })
  vi.stubGlobal('window', { addEventListener: () => undefined, removeEventListener: () => undefined })
  vi.stubGlobal('navigator', { onLine: true })
  resetPage()
  keepDecisionsOf('ana')
})

const approve = { kind: 'approve' } as const
const never = () => new Promise<void>(() => undefined)
const cut = () => Promise.reject<void>(new TypeError('no network'))
const mended = () => Promise.resolve()

/** The decisions that the bar of Review offers to send again. */
const unsent = (): Unsent[] =>
  [...useExpenseStore.getState().rows.values()].flatMap(({ state }) => (state?.kind === 'refused' && state.unsent ? [state.unsent] : []))

/** The page goes, and is loaded again by a person; the network is there. */
function load(user_uid: string): void {
  resetPage()
  own.delay(mended)
  keepDecisionsOf(user_uid)
}

async function sendAgain(): Promise<void> {
  await Promise.all(actAgain(deps, unsent()).map(([, result]) => result))
}

test('decisions without a response survive a reload, and only a press sends them', async () => {
  const { read, press, idle, now } = await own.startList(4)
  const { api } = own.instance.admin
  own.delay(cut)
  press(approve, [0], 1)
  press({ kind: 'reject', reason: 'Private' }, [1], 1)
  await idle()
  // The response is lost, though the server carries it out; the next one never leaves.
  own.delay((what) => (what === 'answer' ? cut() : mended()))
  press(approve, [2], 1)
  await idle()
  const leaving = vi.fn(never)
  own.delay(leaving)
  press(approve, [3], 1)
  expect(countKeptDecisions('ana')).toBe(4)
  await vi.waitUntil(() => leaving.mock.calls.length > 0)

  load('ana')
  await vi.waitUntil(() => unsent().length === 3)
  const uidAt = (index: number) => read[index]?.uid ?? ''
  expect(unsent().map(({ act, seen }) => [act.kind, seen.uid])).toEqual([
    ['approve', uidAt(0)],
    ['reject', uidAt(1)],
    ['approve', uidAt(3)],
  ])
  expect(readHook(() => useReasonText(findRow(uidAt(0))))).toBe('No response. Try again')
  expect((await now()).map(({ status }) => status)).toEqual(['awaiting_analysis', 'awaiting_analysis', 'approved', 'awaiting_analysis'])

  await api.send('PATCH', `/expenses/${read[3]?.id ?? 0}`, { amount: 41 })
  await sendAgain()
  expect((await now()).map(({ status }) => status)).toEqual(['approved', 'rejected', 'approved', 'awaiting_analysis'])
  expect(findRow(uidAt(3))?.state?.kind).toBe('changed')
  const { comments } = (await api.get(`/expenses/${read[1]?.id ?? 0}/comments`)).body
  expect(comments.map(({ content }: Json) => content)).toEqual(['Private'])
  load('ana')
  expect([unsent(), countKeptDecisions('ana')]).toEqual([[], 0])
})

test('decisions without a response are offered to their person alone, until dropped', async () => {
  const { read, press, idle } = await own.startList(1)
  own.delay(cut)
  press(approve, [0], 1)
  await idle()
  keepDecisionsOf('rui')
  expect(unsent()).toEqual([])
  load('rui')
  expect([unsent(), countKeptDecisions('rui')]).toEqual([[], 0])
  load('ana')
  expect(unsent()).toMatchObject([{ seen: { uid: read[0]?.uid } }])
  setRowStates(unsent().map(({ seen }) => [seen.uid, undefined]))
  load('ana')
  expect([unsent(), countKeptDecisions('ana')]).toEqual([[], 0])
  expect((await own.instance.admin.api.get(`/expenses/${read[0]?.id ?? 0}`)).body.version).toBe(1)
})

test('a batch over all that match survives a reload as far as it was sent, and only a press sends it again', async () => {
  const { read, now } = await own.startList(5, { amount: 60 })
  const leaving = vi.fn(never)
  own.delay(leaving)
  void actOnPages(deps, { act: approve, count: 5, pages: () => [read.slice(0, 3), read.slice(3)] }, {})
  await vi.waitUntil(() => leaving.mock.calls.length > 0 && countKeptDecisions('ana') === 5)
  load('ana')
  expect(unsent()).toHaveLength(5)
  await own.instance.admin.api.send('PATCH', `/expenses/${read[3]?.id ?? 0}`, { amount: 41 })
  expect((await now()).map(({ status }) => status)).toEqual(Array(5).fill('awaiting_analysis'))
  await sendAgain()
  expect((await now()).map(({ status }) => status === 'approved')).toEqual([true, true, true, false, true])
  expect([unsent(), countKeptDecisions('ana')]).toEqual([[], 0])
  expect(readHook(() => useReasonText(findRow(read[3]?.uid ?? '')))).toContain('Changed since you looked: amount')
})

test('without a network everything clean is not approved, which says so', async () => {
  const { read, now } = await own.startList(1)
  own.delay(cut)
  vi.stubGlobal('navigator', { onLine: false })
  const error: unknown = await planBatch(approve, [read]).catch((failure: unknown) => failure)
  expect(readHook(useWorkWords).unplanned(error)).toEqual({
    title: 'Nothing was done: could not check what can be done.',
    message: 'You are offline. Try again when you are back online.',
  })
  own.delay(mended)
  expect((await now())[0]?.status).toBe('awaiting_analysis')
})
