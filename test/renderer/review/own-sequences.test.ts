import fc from 'fast-check'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { expenseRepresentation } from '#shared/contract/expenses'
import { moveExpense } from '#test/support/expenses'
import { inForm } from '#test/support/form'
import { expenseArea } from '../../../src-renderer/records/expense/expense-moves'
import { foreseen, type Decision } from '#renderer/records/expense/deciding/decision'
import { actOnPages } from '#renderer/records/expense/deciding/act'
import { findRow, hearExpenses } from '#renderer/records/expense/expense-store'
import { hasAct, redoAct, undoAct, useUndoStack } from '../../../src-renderer/state/undo-stack'
import { useStatus } from '../../../src-renderer/state/notices'
import { decisions, deps, standing, startSequences, untilSettled } from './sequences'

const own = await startSequences()
afterAll(() => own.end())
beforeEach(() => own.begin())

type Step =
  | { readonly kind: 'act'; readonly act: Decision; readonly rows: readonly number[]; readonly times: number }
  | { readonly kind: 'undo' | 'redo' | 'settle' }

const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('act' as const),
        act: decisions,
        rows: fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
        times: fc.integer({ min: 1, max: 2 }),
      }),
    },
    { weight: 4, arbitrary: fc.constant<Step>({ kind: 'undo' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'redo' }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'settle' }) },
  ),
  { minLength: 1, maxLength: 14 },
)

test('any own sequence at any pace ends where it should, and undoing everything is the beginning', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.scheduler(), async (sequence, scheduler) => {
      useUndoStack.setState({ done: [], undone: [], refused: [] })
      own.delay((what) => scheduler.schedule(Promise.resolve(), what))
      const list = await own.startList(3)
      const beginning = await list.now()
      let expected = list.read.map(standing)
      const done: (typeof expected)[] = []
      const undone: (typeof expected)[] = []
      const settle = () => scheduler.waitFor(untilSettled())
      for (const step of sequence) {
        if (step.kind === 'settle') await settle()
        else if (step.kind === 'act') {
          const able = list.press(step.act, step.rows, step.times)
          if (able.length === 0) continue
          done.push(expected)
          undone.length = 0
          expected = expected.map((before, index) => {
            const acted = able.find(({ uid }) => uid === list.read[index]?.uid)
            return acted ? standing(foreseen(step.act, acted)) : before
          })
        } else {
          const [from, to] = step.kind === 'undo' ? [done, undone] : [undone, done]
          const last = from.pop()
          if (step.kind === 'undo') undoAct(expenseArea)
          else redoAct(expenseArea)
          if (!last) continue
          to.push(expected)
          expected = last
        }
        expect([0, 1, 2].map((index) => standing(list.shown(index)))).toEqual(expected)
      }
      await settle()
      await scheduler.waitFor(list.idle())
      expect(useStatus.getState().failures).toEqual([])
      expect(await list.now()).toEqual(expected)
      while (hasAct('done', expenseArea)) undoAct(expenseArea)
      await settle()
      expect(await list.now()).toEqual(beginning)
    }),
    { numRuns: inForm(15, 60), endOnFailure: false },
  )
})

test('a record that someone else changed in between is neither decided nor undone', async () => {
  const list = await own.startList(2)
  const [first] = list.read
  if (!first) throw new Error('no row')
  await moveExpense(own.instance.admin, first.id, { status: 'analyzing' })
  list.press({ kind: 'approve' }, [0], 1)
  list.press({ kind: 'approve' }, [1], 1)
  await list.idle()
  expect((await list.now()).map(({ status }) => status)).toEqual(['analyzing', 'approved'])
  expect(findRow(first.uid)).toMatchObject({ state: { kind: 'changed' }, expense: { status: 'analyzing' } })

  const [, second] = list.read
  await moveExpense(own.instance.admin, second?.id ?? 0, { status: 'analyzing' })
  undoAct(expenseArea)
  await untilSettled()
  await vi.waitUntil(() => useStatus.getState().done?.message.includes('changed the status'))
  expect((await list.now()).map(({ status }) => status)).toEqual(['analyzing', 'analyzing'])
})

test('an act without a response can be undone when the server is back', async () => {
  const list = await own.startList(1)
  list.press({ kind: 'approve' }, [0], 1)
  await list.idle()
  own.delay(() => Promise.reject(new TypeError('no network')))
  undoAct(expenseArea)
  await vi.waitUntil(() => hasAct('done', expenseArea))
  expect(useStatus.getState().failures).toHaveLength(1)
  own.delay(async () => undefined)
  undoAct(expenseArea)
  await vi.waitUntil(() => useStatus.getState().done?.message === 'travelled')
  expect((await list.now())[0]).toMatchObject({ status: 'awaiting_analysis', approved_amount: null })
})

test('what a batch did before its next page could not be read is reported, and undo takes it back', async () => {
  const { read, now } = await own.startList(2)
  const beginning = await now()
  const pages = async function* () {
    yield read
    await Promise.reject(new Error('the server is gone'))
  }
  const result = await actOnPages(deps, { act: { kind: 'approve' }, count: 4, pages }, {})
  expect(result.done.map(({ uid }) => uid)).toEqual(read.map(({ uid }) => uid))
  expect(result.failure).toEqual(new Error('the server is gone'))
  expect((await now()).map(({ status }) => status)).toEqual(['approved', 'approved'])
  expect(undoAct(expenseArea)).toBe(true)
  await expect.poll(now).toEqual(beginning)
})

test('a rejection that has the expenses which repeat it judged again keeps no own decision about them from happening', async () => {
  const list = await own.startList(3, { amount: 77.3 })
  const { body } = await own.instance.manager.api.get(`/expenses/${list.read[2]?.id ?? 0}`)
  hearExpenses([expenseRepresentation.parse(body)])
  expect(list.shown(2).flags).toMatchObject([{ condition: 'repeat' }])
  list.press({ kind: 'reject', reason: 'twice' }, [0], 1)
  list.press({ kind: 'approve' }, [2], 1)
  await list.idle()
  undoAct(expenseArea)
  undoAct(expenseArea)
  list.press({ kind: 'approve' }, [2], 1)
  await list.idle()
  await untilSettled()
  expect((await list.now()).map(({ status }) => status)).toEqual(['awaiting_analysis', 'awaiting_analysis', 'approved'])
  expect(findRow(list.shown(2).uid)?.state?.kind).not.toBe('changed')
})

test('a finding that someone else caused is shown before a decision is carried out', async () => {
  const list = await own.startList(2, { amount: 88.1 })
  await moveExpense(own.instance.admin, list.read[0]?.id ?? 0, { status: 'rejected' })
  const { body } = await own.instance.manager.api.get(`/expenses/${list.read[1]?.id ?? 0}`)
  hearExpenses([expenseRepresentation.parse(body)])
  const seen = list.shown(1)
  await moveExpense(own.instance.admin, list.read[0]?.id ?? 0, { status: 'analyzing' })
  list.press({ kind: 'approve' }, [1], 1)
  await list.idle()
  expect((await list.now())[1]?.status).toBe('awaiting_analysis')
  expect(findRow(seen.uid)?.state?.kind).toBe('changed')
})
