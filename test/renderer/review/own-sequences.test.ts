import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Expense, expenseRepresentation } from '#shared/contract/expenses'
import { type Instance, startInstance } from '#test/support/instance'
import { moveExpense, recordExpense } from '#test/support/expenses'
import { expenseArea } from '../../../src-renderer/records/expense/expense-moves'
import { foreseen, targetOf, type ReviewDecision } from '../../../src-renderer/features/review/deciding/decision'
import { judgeMove } from '../../../src-renderer/features/review/deciding/batch-plan'
import { actOnPages, actOnRows } from '../../../src-renderer/features/review/deciding/reviewer'
import { findRow, hearExpenses, useRowStore } from '../../../src-renderer/features/review/list/row-store'
import { hasAct, redoAct, undoAct, useUndoStack } from '../../../src-renderer/state/undo-stack'
import { useStatus } from '../../../src-renderer/state/notices'

const realFetch = globalThis.fetch
let instance: Instance
/** What the wire does before a request leaves and before its answer arrives. */
let delay: (what: string) => Promise<void> = async () => undefined

beforeAll(async () => {
  instance = await startInstance()
  const authorization = `Basic ${Buffer.from(`${instance.manager.token}:`).toString('base64')}`
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (!address.startsWith('/')) return realFetch(address, init)
    await delay('request')
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization, 'user-agent': 'tests' }
    const response = await realFetch(`${instance.url}${address}`, { ...init, headers })
    await delay('answer')
    return response
  })
})
afterAll(async () => {
  vi.unstubAllGlobals()
  await instance.remove()
})
beforeEach(() => {
  delay = async () => undefined
  useUndoStack.setState({ done: [], undone: [] })
  useRowStore.setState({ rows: new Map() })
  useStatus.setState({ done: null, failures: [] })
})

const words = { done: () => 'done', travelled: () => 'travelled', changed: 'changed', later: 'later' }
const deps = { words }
const manager = { role: 'manager', is_receiver: false } as const

/** The list as the reviewer has it: read once, and shown as it is since. */
async function startList(count: number) {
  const read: Expense[] = []
  for (let index = 0; index < count; index += 1)
    read.push(expenseRepresentation.parse(await recordExpense(instance, instance.member)))
  hearExpenses(read)
  const running: Promise<unknown>[] = []
  const shown = (index: number): Expense => {
    const expense = read[index % count]
    if (!expense) throw new RangeError(`no row ${index}`)
    return findRow(expense.uid)?.expense ?? expense
  }
  const press = (act: ReviewDecision, indexes: readonly number[], times: number): readonly Expense[] => {
    const seen = [...new Set(indexes.map((index) => shown(index)))]
    const able = seen.filter((expense) => judgeMove(expense, { target: targetOf(act), relation: manager }) === 'allowed')
    for (let turn = 0; turn < times && able.length > 0; turn += 1) running.push(actOnRows(deps, { act, expenses: able }))
    return able
  }
  const now = async () =>
    Promise.all(read.map(async ({ id }) => standing((await instance.manager.api.get<Expense>(`/expenses/${id}`)).body)))
  return { read, shown, press, now, idle: () => Promise.all(running) }
}

/** What a decision about an expense changes. */
function standing({ status, approved_amount, approved_amount_currency, ignore_noncompliant }: Expense) {
  return { status, approved_amount, approved_amount_currency, ignore_noncompliant }
}

/** Resolves when no act waits any more: undo and redo hand out no promise. */
async function untilSettled(): Promise<void> {
  await vi.waitUntil(() => ![...useRowStore.getState().rows.values()].some(({ state }) => state?.kind === 'saving'), {
    timeout: 60_000,
    interval: 2,
  })
}

type Step =
  | { readonly kind: 'act'; readonly act: ReviewDecision; readonly rows: readonly number[]; readonly times: number }
  | { readonly kind: 'undo' | 'redo' | 'settle' }

const acts = fc.constantFrom<ReviewDecision>(
  { kind: 'approve' },
  { kind: 'approve_part', amount: 5, reason: 'only the fare' },
  { kind: 'reject', reason: 'no' },
  { kind: 'ask', reason: 'which?' },
  { kind: 'move', status: 'analyzing' },
  { kind: 'move', status: 'analyzed' },
  { kind: 'mark_noncompliant', isTolerated: true },
  { kind: 'mark_noncompliant', isTolerated: false },
)
const steps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('act' as const),
        act: acts,
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
      useUndoStack.setState({ done: [], undone: [] })
      delay = (what) => scheduler.schedule(Promise.resolve(), what)
      const list = await startList(3)
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
    { numRuns: 60, endOnFailure: false },
  )
})

test('a record that someone else changed in between is neither decided nor undone', async () => {
  const list = await startList(2)
  const [first] = list.read
  if (!first) throw new Error('no row')
  await moveExpense(instance.admin, first.id, { status: 'analyzing' })
  list.press({ kind: 'approve' }, [0], 1)
  list.press({ kind: 'approve' }, [1], 1)
  await list.idle()
  expect((await list.now()).map(({ status }) => status)).toEqual(['analyzing', 'approved'])
  expect(findRow(first.uid)).toMatchObject({ state: { kind: 'changed' }, expense: { status: 'analyzing' } })

  const [, second] = list.read
  await moveExpense(instance.admin, second?.id ?? 0, { status: 'analyzing' })
  undoAct(expenseArea)
  await untilSettled()
  await vi.waitUntil(() => useStatus.getState().done?.message === 'changed')
  expect((await list.now()).map(({ status }) => status)).toEqual(['analyzing', 'analyzing'])
})

test('an act without a response can be undone when the server is back', async () => {
  const list = await startList(1)
  list.press({ kind: 'approve' }, [0], 1)
  await list.idle()
  delay = async () => {
    throw new TypeError('no network')
  }
  undoAct(expenseArea)
  await vi.waitUntil(() => hasAct('done', expenseArea))
  expect(useStatus.getState().failures).toHaveLength(1)
  delay = async () => undefined
  undoAct(expenseArea)
  await vi.waitUntil(() => useStatus.getState().done?.message === 'travelled')
  expect((await list.now())[0]).toMatchObject({ status: 'awaiting_analysis', approved_amount: null })
})

test('what a batch did before its next page could not be read is reported, and undo takes it back', async () => {
  const { read, now } = await startList(2)
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
