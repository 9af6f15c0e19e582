import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Servers, startServers } from '#test/support/databases/servers'
import type { Json } from '#test/support/instance'

const place = 'rolling restart'
const count = 4
const clients = 6

describe.skipIf(!isOnPostgres)(`${count} servers behind a proxy`, () => {
  let servers: Servers
  let client: pg.Client
  beforeAll(async () => {
    const url = (await databaseOf(place)) ?? ''
    client = new pg.Client({ connectionString: url })
    await client.connect()
    servers = await startServers(url, { count, settings: { OUTLAY_STOP_AFTER_MS: 3_000 } })
  })
  afterAll(async () => {
    await servers.close()
    await client.end()
    await dropDatabaseOf(place)
  })

  test('are restarted one after another under load without a failed request', async () => {
    const answers = new Map<string, number>()
    const stored: string[] = []
    let isOver = false
    const note = (what: string) => void answers.set(what, (answers.get(what) ?? 0) + 1)
    const load = async (index: number) => {
      for (let turn = 0; !isOver; turn += 1) {
        const description = `${index}.${turn}`
        const body = {
          payer: { id: servers.init.organization_id, type: 'Organization' },
          amount: 12.5,
          occurred_at: '2026-03-04',
          description,
        }
        const made = await servers.any
          .send('POST', '/expenses', body)
          .catch((error: Error) => ({ status: error.message, body: {} as Json }))
        note(`record ${made.status}`)
        if (made.status !== 201) continue
        stored.push(description)
        // Whichever server is asked knows of it.
        const shown = await servers.any.get(`/expenses/${made.body.id}`).catch((error: Error) => ({ status: error.message }))
        note(`show ${shown.status}`)
      }
    }
    const loading = Array.from({ length: clients }, (_, index) => load(index))
    for (let index = 0; index < count; index += 1) {
      const before = stored.length
      await servers.list[index]?.stop()
      await servers.start(index)
      while (stored.length < before + clients) await sleep(20)
    }
    isOver = true
    await Promise.all(loading)
    console.log(Object.fromEntries(answers))
    expect([...answers.keys()].toSorted()).toEqual(['record 201', 'show 200'])
    const { rows } = await client.query<{ description: string }>('SELECT description FROM expenses')
    expect(rows.map(({ description }) => description).toSorted()).toEqual(stored.toSorted())
  })
})
