import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { type Actor, type Reader, Store } from '#main/store/core/store'
import { placeMigrated } from '#test/support/databases/migrated-file'

let folder: string
let store: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-moment-'))
  await placeMigrated(folder)
  store = await Store.open(folder, { clock: systemClock, isOwner: true })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const actor: Actor = { user_id: 1, origin: 'test', request_id: null, if_match: null }
const add = (key: string) =>
  store.transact(actor, (tx) => tx.write('INSERT INTO sync_state (key, value, updated_at) VALUES (?, 1, ?)', [key, tx.now]))
const keysIn = async ({ db }: Reader) =>
  (await sql<{ key: string }>`select key from sync_state order by key`.execute(db)).rows.map(({ key }) => key)

test('long reads see the moment at which they began, whatever is committed meanwhile', async () => {
  await add('a')
  const seen = await store.snapshot(async (reader) => {
    const before = await keysIn(reader)
    await add('b')
    await sleep(5)
    await add('c')
    return [before, await keysIn(reader)]
  })
  expect(seen).toEqual([['a'], ['a']])
  expect(await store.snapshot(keysIn)).toEqual(['a', 'b', 'c'])
})

test('a failure of the reads leaves nothing open', async () => {
  await expect(store.snapshot(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await add('a')
  expect(await store.snapshot(keysIn)).toEqual(['a'])
})
