import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DatabaseAway } from '#main/store/core/database-error'
import { systemClock } from '#main/clock'
import { Store } from '#main/store/core/store'
import { connectionTo, openSession } from '#main/store/postgres/session'
import { countHeld } from '#test/support/collect-garbage'
import { databaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Instance, startInstance } from '#test/support/instance'

const nobody = { user_id: 0, origin: 'test', request_id: null, if_match: null }

describe.skipIf(!isOnPostgres)('a connection that writes', () => {
  let instance: Instance
  let url = ''
  beforeAll(async () => {
    instance = await startInstance()
    url = (await databaseOf(instance.folder)) ?? ''
  })
  afterAll(() => instance.remove())

  test('keeps no answer', async () => {
    const session = await openSession(connectionTo(url))
    expect(await countHeld(50, () => session.run((client) => client.query('SELECT 1')))).toBeLessThan(5)
    await session.end()
  })

  test('that breaks after a write was posted leaves nothing, and says that nothing has changed', async () => {
    const store = await Store.open(instance.folder, { clock: systemClock, isOwner: false, database_url: url })
    const broken = store.transact(nobody, async (tx) => {
      tx.post('INSERT INTO instance_settings (key, value, updated_at) VALUES (?, ?, ?)', ['posted', '1', tx.now])
      tx.post('SELECT pg_terminate_backend(pg_backend_pid())', [])
      return 'done'
    })
    await expect(broken).rejects.toThrow(DatabaseAway)
    expect(await store.reader.db.selectFrom('instance_settings').select('key').where('key', '=', 'posted').execute()).toEqual([])
    // The next one has a connection again.
    expect(await store.transact(nobody, () => Promise.resolve('done'))).toBe('done')
    await store.close()
  })
})
