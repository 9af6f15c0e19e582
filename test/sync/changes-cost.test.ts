import { expect, test } from 'vitest'
import { readChanges } from '#main/change-feed/changes'
import { cursorAtEnd } from '#main/change-feed/cursor'
import type { Reader } from '#main/store/core/store'
import { getAudience } from '#main/store/sync/audience'
import { instanceOfFile } from '#test/support/of-file'
import { newExpense } from '#test/support/expenses'

const instance = await instanceOfFile()
const user_id: number = (await instance.addUser('Olga Other', 'member')).user_id

const uidOf = (number: number) => `01a1fd47-d104-7042-8aa0-${number.toString(16).padStart(12, '0')}`
let sent = 0

/** As a replica of the member sends new expenses. */
async function push(count: number): Promise<void> {
  const operations = Array.from({ length: count }, () => ({
    ...{ op_id: uidOf((sent += 1)), api_version: 'v1', method: 'POST', path: '/expenses', body: newExpense(instance, {}) },
    ...{ refs: [], blobs: [], minted: [{ table: 'expenses', id: null, uid: uidOf(0x1000 + sent) }], seen: [], after: [] },
    ...{ base: {}, mine: {}, created_at: '2026-03-04T00:00:00Z' },
  }))
  expect((await instance.member.api.send('POST', '/sync/push', { operations })).status).toBe(200)
}

/** A reader, and how often it was asked. */
function counted(reader: Reader): { reader: Reader; asked: () => number } {
  let asked = 0
  const proxy = new Proxy(reader, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      asked += 1
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { reader: proxy, asked: () => asked }
}

/** How often the database is asked for what changed since then, for someone who sees none of it. */
async function costOf(count: number): Promise<number> {
  const { app } = instance
  const epoch = 'epoch'
  const cursor = await cursorAtEnd(app.store.reader, epoch)
  await push(count)
  const audience = await getAudience(app.store.reader, user_id)
  const { reader, asked } = counted(app.store.reader)
  const page = await readChanges(reader, { cursor, epoch, audience, scopes: audience.scopes.join(','), limit: 1000 })
  expect(page).toMatchObject({ kind: 'page', log: [], removed: [] })
  return asked()
}

test('what others recorded costs a pull as many statements whether it was little or much', async () => {
  await costOf(1)
  expect(await costOf(60)).toBe(await costOf(3))
})
