import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { createLog, createParts } from '#main/app'
import { systemClock } from '#main/clock'
import { readSettings } from '#main/config/settings'
import { createHttpServer } from '#main/http/server/server'
import { createHealth } from '#main/monitoring/health'
import { Store } from '#main/store/core/store'
import { databaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { dawdling, withoutLock } from '#test/support/databases/log-lock'
import { type Race, raceRules } from '#test/support/databases/race-rules'
import { apiOf, startInstance } from '#test/support/instance'

const connections = 16

const endings: Array<() => Promise<unknown>> = []

/** An instance and servers over the same database, each with one connection that writes. */
async function startRace({ isLocked }: { isLocked: boolean }): Promise<Race> {
  const instance = await startInstance()
  const url = (await databaseOf(instance.folder)) ?? ''
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const text of [...dawdling, ...(isLocked ? [] : withoutLock)]) await client.query(text)
  endings.push(() => instance.remove())
  const settings = { ...readSettings(instance.folder, {}), OUTLAY_LOG: 'silent' as const, OUTLAY_DATABASE_URL: url }
  const addresses: string[] = []
  for (let index = 0; index < connections; index += 1) {
    const store = await Store.open(instance.folder, { clock: systemClock, isOwner: false, database_url: url })
    const parts = await createParts(store, { data_folder: instance.folder, settings, web_folder: null, log: createLog(settings) })
    const server = await createHttpServer(parts.deps, { health: createHealth({ store, data_folder: instance.folder }), metrics: undefined })
    addresses.push(await server.listen({ host: '127.0.0.1', port: 0 }))
    endings.unshift(async () => {
      await server.close()
      await parts.close()
      await store.close()
    })
  }
  endings.unshift(() => client.end())
  return {
    instance,
    all: (times, ask) =>
      Promise.all(
        Array.from({ length: times }, (_, index) => {
          const address = addresses[index % connections] ?? ''
          return ask(apiOf(address, instance.admin.token), index, address)
        }),
      ),
    query: async (text) => (await client.query(text)).rows,
  }
}

afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

describe.skipIf(!isOnPostgres).each(Object.entries(raceRules))('of 16 connections that write: %s', (_name, holds) => {
  test('holds', async () => expect(await holds(await startRace({ isLocked: true }))).toBe(true))
  test('does not hold without the lock', async () => expect(await holds(await startRace({ isLocked: false }))).toBe(false))
})
