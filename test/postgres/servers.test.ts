import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Servers, startServers } from '#test/support/databases/servers'
import { type Heard, followEvents } from '#test/support/databases/follow-events'
import { newExpense } from '#test/support/expenses'
import type { Json } from '#test/support/instance'
import { type Receiver, startReceiver } from '#test/support/receiver'

const place = 'servers of one database'

describe.skipIf(!isOnPostgres)('two servers on one database', () => {
  let servers: Servers
  let client: pg.Client
  let receiver: Receiver
  const streams: Heard[] = []
  beforeAll(async () => {
    const url = (await databaseOf(place)) ?? ''
    client = new pg.Client({ connectionString: url })
    await client.connect()
    receiver = await startReceiver()
    servers = await startServers(url, { count: 2, settings: { OUTLAY_WEBHOOK_ALLOW_PRIVATE: true, OUTLAY_WEBHOOK_BACKOFF_MS: 50 } })
  })
  afterAll(async () => {
    for (const stream of streams) stream.close()
    await servers.close()
    await receiver.close()
    await client.end()
    await dropDatabaseOf(place)
  })
  const body = (description: string) => newExpense(servers.init, { description })
  const listen = async (index: number) => {
    const heard = await followEvents(servers.list[index]?.url ?? '', servers.init.token)
    streams.push(heard)
    return heard
  }

  test('record, approve and hear each other', async () => {
    const heard = await listen(1)
    const { status, body: made } = await servers.api(0).send('POST', '/expenses', body('Taxi'))
    expect(status).toBe(201)
    const shown = await servers.api(1).get(`/expenses/${made.id}`)
    expect(shown.body).toMatchObject({ description: 'Taxi', status: 'awaiting_analysis' })
    const moved = await servers
      .api(1)
      .send(
        'PUT',
        `/expenses/${made.id}/status`,
        { status: 'approved', approved_amount: 12.5 },
        { 'if-match': shown.headers.get('etag') ?? '' },
      )
    expect(moved.status).toBe(200)
    expect((await servers.api(0).get(`/expenses/${made.id}`)).body.status).toBe('approved')
    await expect
      .poll(
        () =>
          heard.events.flatMap((event) => event.changes ?? []).filter(({ id, table }: Json) => table === 'expenses' && id === made.id)
            .length,
      )
      .toBeGreaterThan(1)
  })

  test('hear of state that is in no log, and that they may have missed some', async () => {
    const heard = await listen(1)
    const topics = () => heard.events.flatMap((event) => event.topics ?? [])
    const { body: made } = await servers.api(0).send('POST', '/user/tokens', { description: 'Script' })
    expect(made.token).toBeDefined()
    await expect.poll(topics).toContain('api_tokens')
    expect(topics()).not.toContain('exports')
    await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'outlay server%' AND datname = current_database()`,
    )
    await expect.poll(topics).toContain('exports')
  })

  test('send to a webhook in order, and one takes the work of one that was killed', async () => {
    const { organization_id } = servers.init
    const made = await servers.any.send('POST', `/organizations/${organization_id}/integrations/webhooks`, { url: receiver.url })
    expect(made.status).toBe(201)
    const wanted: number[] = []
    for (let turn = 0; turn < 60; turn += 1) {
      const { body: expense } = await servers.api(turn % 2).send('POST', '/expenses', body(`Sent ${turn}`))
      wanted.push(expense.id)
      if (turn === 20 || turn === 40) {
        const [index] = [await findWorker()]
        await servers.list[index]?.stop('SIGKILL')
        await servers.start(index)
      }
    }
    const sent = () => [...new Set(receiver.received.map((request) => request.body.expense?.id))]
    await expect.poll(() => sent().length).toBe(60)
    expect(sent()).toEqual(wanted)
  })

  /** Which server sends to webhooks. */
  async function findWorker(): Promise<number> {
    for (;;) {
      const { rows } = await client.query<{ name: string }>(
        `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND classid = 4870 AND objid::bigint = (hashtext('webhooks')::bigint & 4294967295) AND datname = current_database()`,
      )
      const index = servers.list.findIndex(({ child }) => rows[0]?.name.startsWith(`outlay server ${child.pid} `))
      if (index >= 0) return index
      await sleep(50)
    }
  }
})
