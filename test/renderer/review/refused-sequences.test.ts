import fc from 'fast-check'
import { beforeEach, afterAll, expect, test, vi } from 'vitest'
import { inForm } from '#test/support/form'
import { expenseArea } from '../../../src-renderer/records/expense/expense-moves'
import { foreseen } from '#renderer/records/expense/deciding/decision'
import { offerUndo, undoAct, useUndoStack } from '../../../src-renderer/state/undo-stack'
import { useStatus } from '../../../src-renderer/state/notices'
import { decisions, standing, startSequences, untilSettled } from './sequences'

const own = await startSequences()
afterAll(() => own.end())
beforeEach(() => own.begin())

/** Presses of keys on three rows, of which the server refuses every act on the last one with 403. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('act' as const),
        act: decisions,
        rows: fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 4, arbitrary: fc.constant({ kind: 'undo' as const }) },
    { weight: 2, arbitrary: fc.constant({ kind: 'settle' as const }) },
  ),
  { minLength: 1, maxLength: 12 },
)

test('a refused act keeps its place: each undo is about the act that it was meant for, at any pace', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.scheduler(), async (sequence, scheduler) => {
      own.begin()
      own.delay((what) => scheduler.schedule(Promise.resolve(), what))
      const list = await own.startList(2, { forbidden: 1 })
      const beginning = await list.now()
      let expected = list.read.map(standing)
      const done: (typeof expected)[] = []
      const settle = () => scheduler.waitFor(untilSettled())
      for (const step of sequence) {
        if (step.kind === 'settle') await settle()
        else if (step.kind === 'undo') {
          expect(undoAct(expenseArea)).toBe(done.length > 0)
          expected = done.pop() ?? expected
        } else {
          const able = list.press(step.act, step.rows, 1)
          if (able.length === 0) continue
          done.push(expected)
          expected = expected.map((before, index) => {
            const acted = index < 2 && able.find(({ uid }) => uid === list.read[index]?.uid)
            return acted ? standing(foreseen(step.act, acted)) : before
          })
        }
        expect([0, 1].map((index) => standing(list.shown(index)))).toEqual(expected.slice(0, 2))
      }
      await settle()
      await scheduler.waitFor(list.idle())
      expect(await list.now()).toEqual(expected)
      while (undoAct(expenseArea)) expected = done.pop() ?? expected
      await settle()
      expect(done).toEqual([])
      expect(await list.now()).toEqual(beginning)
    }),
    { numRuns: inForm(15, 60), endOnFailure: false },
  )
})

test.each(['before', 'after'])(
  'undo pressed %s the refusal says that there is nothing to undo, and leaves the act before',
  async (when) => {
    const list = await own.startList(1, { forbidden: 1 })
    list.press({ kind: 'approve' }, [0], 1)
    await list.idle()
    list.press({ kind: 'approve' }, [1], 1)
    if (when === 'after') await list.idle()
    expect(undoAct(expenseArea)).toBe(true)
    await list.idle()
    await vi.waitUntil(() => useStatus.getState().done?.message === 'Nothing to undo. This was not done: done.')
    expect((await list.now()).map(({ status }) => status)).toEqual(['approved', 'awaiting_analysis'])
    undoAct(expenseArea)
    await expect.poll(async () => (await list.now())[0]?.status).toBe('awaiting_analysis')
    expect(undoAct(expenseArea)).toBe(false)
  },
)

test('an act that someone else kept from happening (412) has its place as well', async () => {
  const list = await own.startList(2)
  list.press({ kind: 'approve' }, [0], 1)
  await list.idle()
  await own.instance.admin.api.send('PATCH', `/expenses/${list.read[1]?.id ?? 0}`, { location: 'Recife' })
  list.press({ kind: 'approve' }, [1], 1)
  await list.idle()
  undoAct(expenseArea)
  await untilSettled()
  expect((await list.now()).map(({ status }) => status)).toEqual(['approved', 'awaiting_analysis'])
})

test('what cannot be undone has a place only when it is refused, and says so when undo comes before its answer', async () => {
  const told = () => useStatus.getState().done?.message
  const at = '2026-03-04T00:00:00Z'
  const undo = vi.fn(() => Promise.resolve())
  const { promise, resolve } = Promise.withResolvers<boolean>()
  offerUndo({ area: 'a', label: 'First.', at, undo })
  offerUndo({ area: 'a', label: 'Finished.', at, undo: null }, { after: promise })
  undoAct('a')
  await vi.waitUntil(() => told() === 'This cannot be undone: Finished.')
  resolve(true)
  offerUndo({ area: 'a', label: 'Finished twice.', at, undo: null }, { after: Promise.reject(new Error('403')) })
  await vi.waitUntil(() => useUndoStack.getState().refused.length > 0)
  undoAct('a')
  expect(told()).toBe('Nothing to undo. This was not done: Finished twice.')
  offerUndo({ area: 'a', label: 'Third.', at, undo: null }, { after: Promise.resolve(true) })
  await vi.waitUntil(() => told() === 'Third.')
  expect(undo).not.toHaveBeenCalled()
  undoAct('a')
  expect(undo).toHaveBeenCalledOnce()
})
