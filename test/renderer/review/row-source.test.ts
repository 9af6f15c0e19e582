import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Expense } from '#shared/contract/expenses'
import { RowSource } from '../../../src-renderer/features/review/list/row-source'
import { toRow } from '../../../src-renderer/features/review/list/row-states'
import { sampleExpense } from './samples'

const all = Array.from({ length: 650 }, (_, index) => sampleExpense(index + 1))

/** A list on a server whose expenses leave it: pages of 100 of what is there now. */
function startList() {
  const listed = new Set(all)
  const read = async ({ page }: { page: number }) => ({
    count: listed.size,
    expenses: [...listed].slice((page - 1) * 100, page * 100),
  })
  const source = new RowSource({ filter: {}, sort: '' }, read)
  const leave = (expense: Expense) => {
    listed.delete(expense)
    source.mark(expense.uid, false)
  }
  return { source, listed, leave }
}

test('rows keep their places while expenses leave the list, whatever is read when', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ page: fc.nat(6), leaves: fc.array(fc.nat(99), { maxLength: 30 }) }), { maxLength: 8 }),
      async (steps) => {
        const { source, leave } = startList()
        await source.ensure(0, 0)
        for (const { page, leaves } of steps) {
          await source.ensure(page * 100, page * 100)
          for (const at of leaves) {
            const expense = source.get(page * 100 + at)
            if (expense) leave(expense)
          }
        }
        await source.ensure(0, 649)
        expect(source.loaded().map(({ id }) => id)).toEqual(all.map(({ id }) => id))
        expect(source.snapshot().count).toBe(650)
      },
    ),
    { numRuns: 40 },
  )
})

test('an expense that comes back by undo is counted once', async () => {
  const { source, listed, leave } = startList()
  await source.ensure(0, 0)
  const first = source.get(0)
  if (!first) throw new Error('no row')
  leave(first)
  const rest = [...listed]
  listed.clear()
  for (const expense of [first, ...rest]) listed.add(expense)
  source.mark(first.uid, true)
  await source.ensure(100, 199)
  expect(source.get(100)?.id).toBe(101)
})

test('a failed read is reported and can be retried', async () => {
  let isBroken = true
  const source = new RowSource({ filter: {}, sort: '' }, async () => {
    if (isBroken) throw new Error('no answer')
    return { count: 1, expenses: [sampleExpense(1)] }
  })
  await source.ensure(0, 0)
  expect(source.snapshot()).toMatchObject({ count: undefined, error: new Error('no answer') })
  isBroken = false
  await source.ensure(0, 0)
  expect(source.snapshot()).toMatchObject({ count: 1, error: null })
})

test('a row shows the newer of what was read and what happened since', () => {
  const read = sampleExpense(1, { version: 3 })
  const older: Expense = { ...read, version: 2, status: 'rejected' }
  const newer: Expense = { ...read, version: 4, status: 'approved' }
  expect(toRow(read, new Map([[read.uid, { kind: 'settled', expense: older }]])).expense).toBe(read)
  expect(toRow(read, new Map([[read.uid, { kind: 'settled', expense: newer }]])).expense).toBe(newer)
  expect(toRow(read, new Map([[read.uid, { kind: 'refused', reason: 'no' }]])).expense).toBe(read)
})

test('rows of an exchange replace those that were read, and no row moves', async () => {
  const { source, leave } = startList()
  await source.ensure(0, 150)
  source.want(98, 101)
  expect(source.inView().map(({ id }) => id)).toEqual([99, 100, 101, 102])
  const changed = source.inView().map((expense) => ({ ...expense, description: 'new', version: expense.version + 1 }))
  source.replace(changed)
  expect(source.loaded().map(({ id }) => id)).toEqual(all.slice(0, 200).map(({ id }) => id))
  expect(source.inView()).toEqual(changed)
  const first = source.get(0)
  if (!first) throw new Error('no row')
  leave(first)
  expect(source.listedCount).toBe(649)
})
