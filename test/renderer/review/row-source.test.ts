import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Expense } from '#shared/contract/expenses'
import { RowSource } from '../../../src-renderer/features/review/list/row-source'
import { findRow, hearExpenses, readingBegins, setRowStates, useExpenseStore } from '#renderer/records/expense/expense-store'
import { sampleExpense } from './samples'

const query = { filter: {}, sort: '' }
const all = Array.from({ length: 650 }, (_, index) => sampleExpense(index + 1))

/** A list on a server whose expenses leave it: pages of 100 of what is there now. */
function startList() {
  useExpenseStore.setState({ rows: new Map() })
  const listed = new Set(all)
  const pace = { before: () => Promise.resolve<unknown>(null), after: () => Promise.resolve<unknown>(null) }
  const read = async ({ page }: { page: number }) => {
    await pace.before()
    const expenses = [...listed].slice((page - 1) * 100, page * 100)
    const count = listed.size
    await pace.after()
    hearExpenses(expenses)
    return { count, uids: expenses.map(({ uid }) => uid) }
  }
  const source = new RowSource({ query, read, isListed: ({ status }) => status === 'awaiting_analysis' })
  source.follow()
  const leave = (expense: Expense) => {
    listed.delete(expense)
    hearExpenses([{ ...expense, status: 'approved', version: expense.version + 1 }])
  }
  return { source, listed, leave, read: pace }
}

test('rows keep their places while expenses leave the list, whatever is read when', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ page: fc.nat(6), leaves: fc.array(fc.nat(99), { maxLength: 30 }) }), { maxLength: 8 }),
      async (steps) => {
        const { source, listed, leave } = startList()
        await source.ensure(0, 0)
        for (const { page, leaves } of steps) {
          await source.ensure(page * 100, page * 100)
          for (const at of leaves) {
            const uid = source.uidAt(page * 100 + at)
            const expense = all.find((one) => one.uid === uid)
            if (expense && listed.has(expense)) leave(expense)
          }
        }
        await source.ensure(0, 649)
        expect(source.loaded()).toEqual(all.map(({ uid }) => uid))
        expect(source.snapshot().count).toBe(650)
      },
    ),
    { numRuns: 40 },
  )
})

test('rows keep their places while expenses are decided faster than pages are read', async () => {
  const { source, listed, leave, read } = startList()
  const tick = (count: number) => Array.from({ length: count }).reduce((before: Promise<unknown>) => before.then(), Promise.resolve())
  let isOver = false
  // A page is read at one moment, and heard of later; so is a decision.
  read.before = () => tick(7)
  read.after = () => tick(40)
  await source.ensure(0, 0)
  const decide = async () => {
    for (const expense of all.slice(0, 300)) {
      await source.duringWrite(async () => {
        await tick(5)
        listed.delete(expense)
        await tick(5)
      })
      leave(expense)
    }
    isOver = true
  }
  const deciding = decide()
  for (let page = 1; page < 7; page += 1) await source.ensure(page * 100, page * 100)
  expect(isOver).toBe(false)
  await deciding
  expect(source.loaded()).toEqual(all.map(({ uid }) => uid))
  expect(source.snapshot().count).toBe(650)
})

test('an expense that comes back by undo is counted once', async () => {
  const { source, listed, leave } = startList()
  await source.ensure(0, 0)
  const [first] = all
  if (!first) throw new Error('no row')
  leave(first)
  const rest = [...listed]
  listed.clear()
  for (const expense of [first, ...rest]) listed.add(expense)
  hearExpenses([{ ...first, version: first.version + 2 }])
  await source.ensure(100, 199)
  expect(source.rowAt(100)?.expense.id).toBe(101)
})

test('a failed read is reported and can be retried', async () => {
  let isBroken = true
  const read = async () => {
    if (isBroken) throw new Error('no answer')
    return { count: 1, uids: [sampleExpense(1).uid] }
  }
  const source = new RowSource({ query, read, isListed: () => true })
  await source.ensure(0, 0)
  expect(source.snapshot()).toMatchObject({ count: undefined, error: new Error('no answer') })
  isBroken = false
  await source.ensure(0, 0)
  expect(source.snapshot()).toMatchObject({ count: 1, error: null })
})

test('a row shows the newer of what was read, whichever is heard first; a reading that begins later holds in any case', () => {
  useExpenseStore.setState({ rows: new Map() })
  const at = (version: number, description: string): Expense => sampleExpense(1, { version, description })
  const shown = () => findRow('uid-1')?.expense.description
  const earlier = readingBegins()
  hearExpenses([at(4, 'newer')])
  hearExpenses([at(3, 'older')], earlier)
  expect(shown()).toBe('newer')
  hearExpenses([at(3, 'taken back on a replica')], readingBegins())
  expect(shown()).toBe('taken back on a replica')
})

test('an act in progress covers what is heard, and a refusal stays until the server has another version', () => {
  useExpenseStore.setState({ rows: new Map() })
  const read = sampleExpense(1)
  const acted = sampleExpense(1, { status: 'approved' })
  hearExpenses([read])
  setRowStates([[read.uid, { kind: 'saving', expense: acted }]])
  hearExpenses([{ ...read, version: 2, description: 'of someone else' }])
  expect(findRow(read.uid)?.expense).toBe(acted)
  setRowStates([[read.uid, { kind: 'refused', reason: 'no' }]])
  expect(findRow(read.uid)?.expense.description).toBe('of someone else')
  hearExpenses([{ ...read, version: 2 }])
  expect(findRow(read.uid)?.state).toEqual({ kind: 'refused', reason: 'no' })
  hearExpenses([{ ...read, version: 3 }])
  expect(findRow(read.uid)?.state).toBeUndefined()
})

test('an act without a response stays to be sent again, whatever others do, until the reviewer looks', () => {
  useExpenseStore.setState({ rows: new Map() })
  const seen = sampleExpense(1)
  const unsent = { kind: 'refused', reason: '', unsent: { act: { kind: 'approve' }, seen } } as const
  hearExpenses([seen])
  setRowStates([[seen.uid, unsent]])
  hearExpenses([{ ...seen, version: 2, comments_count: 1 }])
  expect(findRow(seen.uid)?.state).toEqual(unsent)
  hearExpenses([{ ...seen, version: 3, status: 'pending' }])
  expect(findRow(seen.uid)?.state).toEqual(unsent)
})

test('rows that change take their places with them, and no row moves', async () => {
  const { source, leave } = startList()
  await source.ensure(0, 150)
  source.want(98, 101)
  expect(source.inView().map(({ expense }) => expense.id)).toEqual([99, 100, 101, 102])
  const changed = source.inView().map(({ expense }) => ({ ...expense, description: 'new', version: expense.version + 1 }))
  hearExpenses(changed)
  expect(source.loaded()).toEqual(all.slice(0, 200).map(({ uid }) => uid))
  expect(source.inView().map(({ expense }) => expense)).toEqual(changed)
  const [first] = all
  if (!first) throw new Error('no row')
  leave(first)
  expect(source.listedCount).toBe(649)
})
