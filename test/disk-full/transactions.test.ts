import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { newExpense, recordExpense } from '#test/support/expenses'
import { type Instance, type Json, startInstance } from '#test/support/instance'

let instance: Instance
beforeEach(async () => {
  // By this clock every operation of a batch takes so long that it gets a transaction of its own.
  let elapsedMs = 0
  instance = await startInstance({ clock: { ...systemClock, monotonicMs: () => (elapsedMs += 100) } })
})
afterEach(() => instance.remove())

const nobody = { user_id: 0, origin: 'cli', request_id: null, if_match: null }

/**
 * Lets the database grow by so many pages, and then be full in the middle of a transaction, as SQLite itself says it. What is written
 * has to be more than the pages that migrations left free.
 */
async function leaveRoomFor(pages: number): Promise<void> {
  const [count = {}] = await instance.app.store.transact(nobody, async (tx) => tx.writeAll('PRAGMA page_count', []))
  await instance.app.store.transact(nobody, async (tx) => tx.replica.exec([`PRAGMA max_page_count = ${Number(count.page_count) + pages}`]))
}

const long = 'x'.repeat(3000)
const operations = (count: number) =>
  Array.from({ length: count }, () => ({ method: 'POST', path: '/expenses', body: newExpense(instance, { description: long }) }))
const count = async () => (await instance.admin.api.get('/expenses')).body.count

test('a batch with room for its first operations says of each whether it was stored', async () => {
  await recordExpense(instance, instance.admin)
  await leaveRoomFor(100)
  const { status, body } = await instance.admin.api.send('POST', '/batch', { operations: operations(100) })
  expect(status).toBe(200)
  const statuses: number[] = body.results.map((one: Json) => one.status)
  const stored = statuses.indexOf(507)
  expect(stored).toBeGreaterThan(0)
  // From the first that was refused on none is stored: what comes later may build on it.
  expect(statuses).toEqual([...Array(stored).fill(201), ...Array(100 - stored).fill(507)])
  expect(await count()).toBe(1 + stored)
  expect(instance.app.store.problems()).toEqual([])
})

test('an atomic batch or a record that does not fit is rejected as a whole', async () => {
  await recordExpense(instance, instance.admin)
  await leaveRoomFor(20)
  const batch = await instance.admin.api.send('POST', '/batch', { atomic: true, operations: operations(300) })
  // Room runs out either in an operation, which then says so among those that were undone with it, or at the end of all.
  const refused = batch.status === 507 ? [batch.body] : batch.body.results.flatMap((one: Json) => (one.status === 507 ? [one.body] : []))
  expect(refused).toEqual([{ errors: { message: expect.stringContaining('Make room') } }])
  expect(await count()).toBe(1)
  await leaveRoomFor(0)
  for (let tries = 0; tries < 400; tries += 1) {
    const { status } = await instance.admin.api.send('POST', '/expenses', newExpense(instance, { description: long }))
    if (status === 507) break
    expect(status).toBe(201)
  }
  const before = await count()
  expect((await instance.admin.api.send('POST', '/expenses', newExpense(instance, { description: long }))).status).toBe(507)
  expect(await count()).toBe(before)
  expect(instance.app.store.problems()).toEqual([])
  await leaveRoomFor(1000)
  expect((await instance.admin.api.send('POST', '/batch', { atomic: true, operations: operations(60) })).status).toBe(200)
})
