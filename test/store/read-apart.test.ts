import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ListFilter } from '#shared/contract/filters'
import { systemClock } from '#main/clock'
import { isServed } from '#main/store/core/served-lists'
import { statement } from '#main/store/core/statement'
import { type Actor, Store, type Tx } from '#main/store/core/store'
import { placeMigrated } from '#test/support/databases/migrated-file'

let folder: string
let store: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outlay-store-'))
  await placeMigrated(folder)
  store = await Store.open(folder, { clock: systemClock, isOwner: true, readsApart: true })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const actor: Actor = { user_id: 1, origin: 'test', request_id: null, if_match: null }
const insert = statement<{ key: string }, unknown>((db, p) =>
  db.insertInto('sync_state').values({ key: p('key'), value: 'x', updated_at: 'now' }),
)
const listKeys = statement<Record<string, never>, { key: string }>((db) => db.selectFrom('sync_state').select('key').orderBy('key'))
const add = (tx: Tx, key: string) => tx.run(insert, { key })
const keys = async () => (await store.reader.all(listKeys, {})).map(({ key }) => key)

describe('what a caller has read apart', () => {
  const counting = (count: string) =>
    sql<{ count: number }>`
      with recursive numbers(n) as (select 1 union all select n + 1 from numbers ${sql.raw(count)})
      select count(*) as count from (select n from numbers limit -1)`.compile(store.reader.db)
  const endless = () => counting('')
  const short = () => counting('where n < 3')

  test('is stopped with advice when it takes too long; other requests are served meanwhile, also by the same process', async () => {
    const events: string[] = []
    const note = (event: string) => () => void events.push(event)
    const slow = [1, 2, 3].map(() => store.reader.readApart([endless()], { user_id: 1 }).catch(note('given up')))
    // The second is read by the other process: whatever the first has waiting.
    expect(await store.reader.readApart([short()], { user_id: 2 })).toEqual([[{ count: 3 }]])
    expect(await keys()).toEqual([])
    await store.transact(actor, (tx) => add(tx, 'a'))
    note('others answered')()
    await Promise.all(slow)
    expect(events).toEqual(['others answered', 'given up', 'given up', 'given up'])
    const refused = { refusal: { kind: 'not_possible', code: 'takes_too_long' } }
    await expect(store.reader.readApart([endless()], { user_id: 1 })).rejects.toMatchObject(refused)
    expect(await store.reader.readApart([short(), short()], { user_id: 1 })).toEqual([[{ count: 3 }], [{ count: 3 }]])
  })
})

test('of a long table, a list is read here unless its filter has no index to lead to the rows: by month, and by the currency that counts', async () => {
  await store.transact(actor, async (tx) => {
    for (let index = 0; index <= 500; index += 1) await add(tx, String(index))
  })
  const filter = { conditions: [], search_tags: '', has_tag: undefined, search: undefined }
  const isServedWith = (more: Partial<ListFilter>) =>
    isServed(store.reader, {
      ...{ table: 'sync_state', queries: [], columnOf: ({ attribute }) => attribute },
      query: { filter: { ...filter, ...more }, offset: 0 },
    })
  expect(await isServedWith({})).toBe(true)
  expect(await isServedWith({ booked_month: '2026-03' })).toBe(false)
  expect(await isServedWith({ counted_currency: ['BRL'] })).toBe(false)
  expect(await isServedWith({ supplier: ['11222333000181'] })).toBe(false)
})
