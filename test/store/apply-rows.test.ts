import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Audience, getAudience } from '#main/store/sync/audience'
import { applyRows } from '#main/store/sync/apply-rows'
import { readRecords } from '#main/store/sync/feed-reader'
import { findSharedRecord } from '#main/store/sync/shared-records'
import type { Tx } from '#main/store/core/store'
import type { TablePart } from '#shared/contract/sync'
import { instanceOfFile } from '#test/support/of-file'
import { recordExpense } from '#test/support/expenses'

let record_ids: number[]
let audience: Audience
const instance = await instanceOfFile()
beforeAll(async () => {
  const { admin } = instance
  const made = [
    await recordExpense(instance, admin, { description: 'Hotel' }),
    await recordExpense(instance, admin, { description: 'Taxi' }),
    await recordExpense(instance, admin, { description: 'Train', tags: ['one'] }),
  ]
  record_ids = made.map(({ id }) => id)
  audience = await getAudience(instance.app.store.reader, admin.user_id)
})

const actor = { user_id: 0, origin: 'sync', request_id: null, if_match: null }
const transact = <T>(work: (tx: Tx) => Promise<T>) => instance.app.store.transact(actor, work)

/** The rows of the expenses as a page brings them, with what is written over some of their values. */
async function pageOf(change: (name: string, row: number) => string | number | undefined = () => undefined): Promise<TablePart[]> {
  const record = findSharedRecord('expenses')
  if (!record) throw new Error('Replicas hold expenses.')
  const { parts } = await readRecords(instance.app.store.reader, record, { record_ids, audience })
  return parts.map((part) =>
    part.name === 'expenses'
      ? { ...part, rows: part.rows.map((row, index) => row.map((cell, at) => change(part.columns[at] ?? '', index) ?? cell)) }
      : part,
  )
}

const apply = (parts: readonly TablePart[]) => transact((tx) => applyRows(tx, parts, { takeTurn: () => Promise.resolve() }))
const writesOf = async (work: (tx: Tx) => Promise<unknown>) =>
  transact(async (tx) => {
    const count = async () => Number((await tx.writeAll('SELECT total_changes() AS count', []))[0]?.count)
    const before = await count()
    await work(tx)
    return (await count()) - before
  })

test('rows that come as they are here are not written again', async () => {
  const [first] = await pageOf()
  expect(first?.rows).toHaveLength(3)
  expect(
    await writesOf((tx) => applyRows(tx, first ? [{ ...first, rows: first.rows.slice(0, 2) }] : [], { takeTurn: () => Promise.resolve() })),
  ).toBe(0)
})

test('a row is written as it comes, and search is derived again only where it finds it by something else', async () => {
  const page = await pageOf((name, row) => {
    if (name === 'description' && row === 0) return 'Hostel'
    if (name === 'updated_at' && row === 1) return '2031-01-01T00:00:00Z'
    return undefined
  })
  // The third has a tag, and tags come again with their record.
  expect([...(await apply(page))].sort((a, b) => a - b)).toEqual([record_ids[0], record_ids[2]])
  const { rows } = await sql<{ description: string; updated_at: string }>`select description, updated_at from expenses order by id`.execute(
    instance.app.store.reader.db,
  )
  expect(rows.map(({ description }) => description)).toEqual(['Hostel', 'Taxi', 'Train'])
  expect(rows[1]?.updated_at).toBe('2031-01-01T00:00:00Z')
  expect(instance.app.store.problems()).toEqual([])
})

test('an expense that had no tag and comes with one is derived again', async () => {
  const page = await pageOf()
  const moved = page.map((part) => {
    const owner = part.columns.indexOf('expense_id')
    return part.name === 'expense_tags' ? { ...part, rows: part.rows.map((row) => row.with(owner, record_ids[1] ?? 0)) } : part
  })
  expect(moved.map(({ name }) => name)).toEqual(['expenses', 'expense_tags'])
  expect(await apply(moved)).toContain(record_ids[1])
})

test('of two columns of the same name the first has its place, and the last its values', async () => {
  const { reader } = instance.app.store
  expect(await reader.cells(sql`select 1 as a, 2 as b, 3 as a, 4 as c, 5 as b`)).toEqual({ columns: ['a', 'b', 'c'], rows: [[3, 5, 4]] })
})
