import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { listStatement, statement } from '#main/store/core/statement'
import { Store } from '#main/store/core/store'
import { placeMigrated } from '#test/support/databases/migrated-file'
import { folderOfFile } from '#test/support/of-file'

let store: Store
const folder = folderOfFile('outlay-store-')
beforeAll(async () => {
  await placeMigrated(folder)
  store = await Store.open(folder, { clock: systemClock, isOwner: true })
  await store.transact({ user_id: 1, origin: 'test', request_id: null, if_match: null }, async (tx) => {
    for (let index = 0; index < 400; index += 1) await tx.run(insert, { value: 'x', key: `key-${index}` })
  })
})
afterAll(() => store.close())

const insert = statement<{ key: string; value: string }, unknown>((db, p) =>
  db.insertInto('sync_state').values({ key: p('key'), value: p('value'), updated_at: 'now' }),
)
const find = statement<{ key: string; value: string }, { key: string }>((db, p) =>
  db.selectFrom('sync_state').select('key').where('value', '=', p('value')).where('key', '=', p('key')),
)
const listByKeys = listStatement<string, { key: string }>((db, keys) => db.selectFrom('sync_state').select('key').where('key', 'in', keys))

test('places are filled by name, whatever the order of the parameters', async () => {
  expect(await store.reader.first(find, { key: 'key-7', value: 'x' })).toEqual({ key: 'key-7' })
  expect(await store.reader.first(find, { value: 'y', key: 'key-7' })).toBeUndefined()
})

test.each([0, 1, 2, 8, 9, 32, 33, 128, 129, 400])('%i ids find their rows, each once', async (count) => {
  const keys = Array.from({ length: count }, (_, index) => `key-${index}`)
  const rows = await store.reader.allOf(listByKeys, keys)
  expect(rows.map(({ key }) => key).sort()).toEqual(keys.toSorted())
})

test('an unknown id finds nothing among ids that exist', async () => {
  expect(await store.reader.allOf(listByKeys, ['nowhere', 'key-1'])).toEqual([{ key: 'key-1' }])
})
