import { afterAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { Store, type Tx } from '#main/store/core/store'
import { databaseOf } from '#test/support/databases/database-of'
import { startInstance } from '#test/support/instance'

const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }
const put = 'INSERT INTO instance_settings (key, value, updated_at) VALUES (?, ?, ?)'
const instance = await startInstance()
const store = await Store.open(instance.folder, { clock: systemClock, isOwner: false, database_url: await databaseOf(instance.folder) })
afterAll(async () => {
  await store.close()
  await instance.remove()
})

const post = (tx: Tx, key: string) => tx.post(put, [key, '1', tx.now])
const countOf = (key: string) =>
  store.reader.db
    .selectFrom('instance_settings')
    .select('key')
    .where('key', 'like', key)
    .execute()
    .then((rows) => rows.length)
/** What either database says of a key that is there already. */
const isTaken = /unique|duplicate/i

test('a posted write is stored with its transaction', async () => {
  await store.transact(nobody, async (tx) => {
    post(tx, 'stored 1')
    post(tx, 'stored 2')
    await tx.savepoint(async (step) => post(step, 'stored 3'))
  })
  expect(await countOf('stored %')).toBe(3)
})

test('a posted write that fails fails its transaction, with its own reason, and nothing of it is stored', async () => {
  const failing = store.transact(nobody, async (tx) => {
    post(tx, 'failing 1')
    post(tx, 'failing 1')
    post(tx, 'failing 2')
    return 'done'
  })
  await expect(failing).rejects.toThrow(isTaken)
  const waiting = store.transact(nobody, async (tx) => {
    post(tx, 'failing 1')
    post(tx, 'failing 1')
    // What waits next hears of it, not of having been refused.
    await tx.write(put, ['failing 3', '1', tx.now])
  })
  await expect(waiting).rejects.toThrow(isTaken)
  expect(await countOf('failing %')).toBe(0)
})

test('a posted write that fails undoes only its savepoint', async () => {
  const caught: unknown[] = []
  await store.transact(nobody, async (tx) => {
    post(tx, 'part 1')
    await tx
      .savepoint(async (step) => {
        post(step, 'part 2')
        post(step, 'part 1')
      })
      .catch((error: unknown) => caught.push(error))
    await tx.savepoint(async (step) => post(step, 'part 3'))
  })
  expect(String(caught)).toMatch(isTaken)
  expect(await countOf('part %')).toBe(2)
})

test('of works that share a commit one whose posted write fails fails alone', async () => {
  const works = ['shared 1', 'shared 2', 'shared 1', 'shared 3'].map((key) => store.transact(nobody, async (tx) => post(tx, key)))
  const outcomes = (await Promise.allSettled(works)).map(({ status }) => status)
  expect(outcomes).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await countOf('shared %')).toBe(3)
})

test('a work that fails for its own reason leaves nothing of what it posted', async () => {
  const failing = store.transact(nobody, async (tx) => {
    post(tx, 'own 1')
    post(tx, 'own 1')
    throw new Error('The reason.')
  })
  // A file answers at once, so there the failure comes first.
  await expect(failing).rejects.toThrow(/The reason\.|unique/i)
  expect(await countOf('own %')).toBe(0)
})

test('nothing is posted once the transaction has ended', async () => {
  const tx = await store.transact(nobody, (open) => Promise.resolve({ open }))
  expect(() => post(tx.open, 'late 1')).toThrow('ended')
  expect(await countOf('late %')).toBe(0)
})
