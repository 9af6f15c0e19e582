import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Json } from '#test/support/instance'
import { moveExpense } from '#test/support/expenses'
import { useWorkWords } from '../../../src-renderer/features/review/deciding/work-words'
import { useReasonText } from '../../../src-renderer/features/review/list/row-note'
import { expenseArea } from '../../../src-renderer/records/expense/expense-moves'
import { undoAct } from '../../../src-renderer/state/undo-stack'
import { useStatus } from '../../../src-renderer/state/notices'
import { actOnPages, actOnRows } from '#renderer/records/expense/deciding/act'
import { inSlices } from '#renderer/records/expense/deciding/batch-plan'
import { track, useProgress } from '#renderer/records/expense/deciding/runs'
import { findRow, lookAgain } from '#renderer/records/expense/expense-store'
import { readHook } from '../read-hook'
import { deps, startSequences, untilSettled } from './sequences'

/** What a reviewer's keys do, typed faster than the server responds, and the words for it. */
const own = await startSequences()
afterAll(() => own.end())
beforeEach(() => own.begin())

/** The statuses that an expense has had, as its trail has them. */
async function movesOf(id = 0): Promise<string[]> {
  const { activities }: Json = (await own.instance.manager.api.get(`/expenses/${id}/activities?per_page=100`)).body
  return activities
    .flatMap(({ details }: Json) => details ?? [])
    .filter(({ attribute }: Json) => attribute === 'status')
    .map(({ to }: Json) => to)
    .toReversed()
}

test('acts and undos on one expense follow one another as fast as they are typed', async () => {
  const list = await own.startList(1)
  const words = readHook(useWorkWords)
  const pressing = [{ kind: 'move', status: 'analyzing' } as const, { kind: 'approve' } as const].map((act) =>
    actOnRows({ words }, { act, expenses: [list.shown(0)] }),
  )
  undoAct(expenseArea)
  undoAct(expenseArea)
  await Promise.all(pressing)
  await untilSettled()
  await expect.poll(() => useStatus.getState().done?.message).toContain('Undone: Review of 1 started.')
  expect(findRow(list.shown(0).uid)?.state?.kind).not.toBe('changed')
  expect(await movesOf(list.read[0]?.id)).toEqual(['analyzing', 'approved', 'analyzing', 'awaiting_analysis'])
})

test('undo pressed 27 times, faster than the server responds, undoes 27 acts', async () => {
  const list = await own.startList(27)
  own.delay(() => new Promise((resolve) => setTimeout(resolve, 2)))
  for (let turn = 0; turn < 27; turn += 1) list.press({ kind: 'approve' }, [turn], 1)
  for (let turn = 0; turn < 27; turn += 1) expect(undoAct(expenseArea)).toBe(true)
  await list.idle()
  await untilSettled()
  expect(new Set((await list.now()).map(({ status }) => status))).toEqual(new Set(['awaiting_analysis']))
  expect(list.read.filter(({ uid }) => findRow(uid)?.state?.kind === 'changed')).toEqual([])
  expect(await movesOf(list.read[26]?.id)).toEqual(['approved', 'awaiting_analysis'])
})

test('an act sent twice happens once, and no one else is said to have changed the expense', async () => {
  const list = await own.startList(1)
  list.press({ kind: 'approve' }, [0], 2)
  await list.idle()
  expect(await movesOf(list.read[0]?.id)).toEqual(['approved'])
  expect(findRow(list.shown(0).uid)?.state).toEqual({ kind: 'settled' })
  undoAct(expenseArea)
  await untilSettled()
  expect(await movesOf(list.read[0]?.id)).toEqual(['approved', 'awaiting_analysis'])
  expect(undoAct(expenseArea)).toBe(false)
})

test('an expense that changed meanwhile says what changed, and is decided as it is once its reviewer has looked', async () => {
  const list = await own.startList(1)
  const [seen] = list.read
  await own.instance.admin.api.send('PATCH', `/expenses/${seen?.id ?? 0}`, { amount: 9.5 })
  list.press({ kind: 'approve' }, [0], 1)
  await list.idle()
  const uid = seen?.uid ?? ''
  expect(readHook(() => useReasonText(findRow(uid)))).toBe('Changed since you looked: amount. Press L to reload it')
  expect((await list.now())[0]?.status).toBe('awaiting_analysis')
  lookAgain(uid)
  expect(findRow(uid)?.state).toBeUndefined()
  list.press({ kind: 'approve' }, [0], 1)
  await list.idle()
  expect((await list.now())[0]).toMatchObject({ status: 'approved', approved_amount: 9.5 })
})

test('approving what someone else approved in the same way says so, and is no failure; in part is another decision', async () => {
  const list = await own.startList(2)
  const approve = (index: number, approved_amount: number) =>
    moveExpense(own.instance.admin, list.read[index]?.id ?? 0, { status: 'approved', approved_amount, approved_amount_currency: 'BRL' })
  await approve(0, 12.5)
  await approve(1, 5)
  const act = { kind: 'approve' } as const
  const words = readHook(useWorkWords)
  const [met, changed] = await Promise.all(list.read.map((expense) => actOnRows(deps, { act, expenses: [expense] })))
  expect(met && words.result(act, met)).toBe('Someone else already changed 1 expense to “Approved”.')
  expect(findRow(list.read[0]?.uid ?? '')).toMatchObject({ state: undefined, expense: { status: 'approved', version: 2 } })
  expect(changed).toMatchObject({ met: 0, failed: [list.read[1]?.uid] })
  expect(findRow(list.read[1]?.uid ?? '')?.state?.kind).toBe('changed')
  expect((await list.now())[1]?.approved_amount).toBe(5)
})

test('a batch that is stopped writes what was on its way, says so, and leaves the rest as it was', async () => {
  const list = await own.startList(9)
  const act = { kind: 'approve' } as const
  let requests = 0
  own.delay(async (what) => {
    if (what === 'request') requests += 1
    if (requests === 2) useProgress.getState().progress?.stop()
  })
  const pages = () => [0, 3, 6].map((at) => list.read.slice(at, at + 3))
  const result = await track(9, (options) => actOnPages(deps, { act, count: 9, pages }, options))
  own.delay(async () => undefined)
  expect(readHook(useWorkWords).result(act, result)).toBe('6 approved. Stopped. Changes made so far are kept.')
  expect((await list.now()).map(({ status }) => status === 'approved')).toEqual(list.read.map((_, index) => index < 6))
  expect(useProgress.getState().progress).toBeNull()
  expect(list.read.slice(6).filter(({ uid }) => findRow(uid)?.state !== undefined)).toEqual([])
  expect([...inSlices(Array(250).fill(list.read[0]))].map(({ length }) => length)).toEqual([100, 100, 50])
})
