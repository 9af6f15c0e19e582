import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { followEvents } from '#test/support/databases/follow-events'
import { type Servers, startServers } from '#test/support/databases/servers'
import { newExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { type Receiver, startReceiver } from '#test/support/receiver'

const place = 'servers whose clocks differ'
const quarterHourMs = 15 * 60_000

describe.skipIf(!isOnPostgres)('two servers on one database, one a quarter of an hour ahead, one behind', () => {
  let servers: Servers
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
    const settings = { OUTLAY_WEBHOOK_ALLOW_PRIVATE: true, OUTLAY_WEBHOOK_BACKOFF_MS: 50 }
    const url = (await databaseOf(place)) ?? ''
    servers = await startServers(url, { count: 2, settings, skewsMs: [quarterHourMs, -quarterHourMs] })
  })
  afterAll(async () => {
    await servers.close()
    await receiver.close()
    await dropDatabaseOf(place)
  })
  const body = (description: string) => newExpense(servers.init, { description })
  const urlOf = (index: number) => servers.list[index]?.url ?? ''

  test('their clocks are really wrong', async () => {
    const atMs = async (index: number) => Date.parse((await servers.api(index).send('POST', '/expenses', body('Clock'))).body.created_at)
    expect((await atMs(0)) - (await atMs(1))).toBeGreaterThan(quarterHourMs * 1.9)
  })

  test('each sees at once what the other wrote, versions only grow, and those who listen hear it in the order of the commits', async () => {
    const heard = await followEvents(urlOf(1), servers.init.token)
    const { body: made } = await servers.api(0).send('POST', '/expenses', body('Turn 0'))
    for (let turn = 1; turn < 12; turn += 1) {
      const [writer, reader] = [servers.api(turn % 2), servers.api((turn + 1) % 2)]
      expect((await writer.send('PATCH', `/expenses/${made.id}`, { description: `Turn ${turn}` })).status).toBe(200)
      expect((await reader.get(`/expenses/${made.id}`)).body).toMatchObject({ description: `Turn ${turn}`, version: turn + 1 })
    }
    const versions = () =>
      heard.events
        .flatMap((event) => event.changes ?? [])
        .flatMap(({ table, id, version }: Json) => (table === 'expenses' && id === made.id ? [version] : []))
    await expect.poll(() => versions().at(-1)).toBe(12)
    expect(versions()).toEqual(versions().toSorted((a: number, b: number) => a - b))
    heard.close()
  })

  test('a request that is repeated at the other is carried out once', async () => {
    const key = { 'idempotency-key': 'the-same-key-at-both' }
    const first = await servers.api(0).send('POST', '/expenses', body('Once'), key)
    const again = await servers.api(1).send('POST', '/expenses', body('Once'), key)
    expect([first.status, again.status, again.body.id]).toEqual([201, 201, first.body.id])
  })

  test('a session that began at one holds at the other', async () => {
    for (const [begins, continues] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const signedIn = await fetch(`${urlOf(begins)}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'tests', origin: urlOf(begins) },
        body: JSON.stringify({ token: servers.init.token }),
      })
      expect(signedIn.status).toBe(201)
      const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
      const held = await fetch(`${urlOf(continues)}/api/v1/session`, { headers: { cookie, 'user-agent': 'tests' } })
      expect(held.status).toBe(200)
    }
  })

  test('a webhook hears of the expenses of both in order, each delivery once', async () => {
    const hooks = `/organizations/${servers.init.organization_id}/integrations/webhooks`
    expect((await servers.api(0).send('POST', hooks, { url: receiver.url })).status).toBe(201)
    const wanted: number[] = []
    for (let turn = 0; turn < 10; turn += 1)
      wanted.push((await servers.api(turn % 2).send('POST', '/expenses', body(`Sent ${turn}`))).body.id)
    const sent = () => receiver.received.map((request) => request.body.expense?.id)
    await expect.poll(() => new Set(sent()).size).toBe(wanted.length)
    expect(sent()).toEqual(wanted)
  })
})
