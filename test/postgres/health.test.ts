import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { newCard } from '#test/support/cards'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Relay, startRelay } from '#test/support/databases/relay'
import { askDatabase } from '#test/support/databases/repeated-writes'
import { type Servers, startServers } from '#test/support/databases/servers'
import { type Instance, startInstance } from '#test/support/instance'
import { ofxOf, uploadStatement } from '#test/support/statements/upload'

const place = `health ${systemClock.uid()}`

describe.skipIf(!isOnPostgres)('a server whose database is away', () => {
  let url = ''
  let relay: Relay
  let instance: Instance
  beforeAll(async () => {
    url = (await databaseOf(place)) ?? ''
    relay = await startRelay(url)
    instance = await startInstance({ settings: { OUTLAY_DATABASE_URL: relay.url } })
  })
  afterAll(async () => {
    await instance.remove()
    await relay.close()
    await dropDatabaseOf(place)
  })
  const ready = async () => {
    const response = await fetch(`${instance.url}/health/ready`)
    return { status: response.status, body: await response.json() }
  }
  const unavailable = { status: 503, body: { status: 'unavailable', troubles: ['database'] } }

  test('says so to a probe while requests still wait for it', async () => {
    relay.moveTo('postgres://127.0.0.1:9/none')
    const request = instance.member.api.get('/expenses')
    const first = await Promise.race([request.then(() => 'the request'), ready()])
    expect(first).toEqual(unavailable)
    expect((await request).status).toBe(503)
    const begun = systemClock.monotonicMs()
    const writes = Array.from({ length: 10 }, () => instance.member.api.send('POST', '/organizations', { name: 'Late' }))
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([503]))
    // Each waits once, and not for those before it.
    expect(systemClock.monotonicMs() - begun).toBeLessThan(9_000)
    relay.moveTo(url)
    await expect.poll(ready).toMatchObject({ status: 200 })
  })

  test('says so to a probe where the database says nothing, and to requests once all of their waiting is over', async () => {
    relay.hold(true)
    const reads = Promise.all(Array.from({ length: 30 }, () => instance.member.api.get('/expenses')))
    expect(await ready()).toEqual(unavailable)
    expect(await ready()).toEqual(unavailable)
    const late = new Promise((resolve) => setTimeout(resolve, 9_000, 'late'))
    const first = await Promise.race([reads, late])
    relay.hold(false)
    expect(first).not.toBe('late')
    expect(new Set((await reads).map(({ status }) => status))).toEqual(new Set([503]))
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ status: 200 })
  })
})

describe.skipIf(!isOnPostgres)('a statement whose database goes away while its thread adds it', () => {
  const other = `statement ${systemClock.uid()}`
  let url = ''
  let relay: Relay
  let servers: Servers
  beforeAll(async () => {
    url = (await databaseOf(other)) ?? ''
    relay = await startRelay(url)
    servers = await startServers(relay.url, { count: 1 })
  })
  afterAll(async () => {
    await servers.close()
    await relay.close()
    await dropDatabaseOf(other)
  })

  test('is answered as any other write, and added by the next try', async () => {
    const { organization_id, token } = servers.init
    const { body: card } = await servers.api(0).send('POST', '/corporative_cards', newCard({ organization_id }))
    const bytes = ofxOf([{ day: '2026-03-04', amount: '-5.00', name: 'COFFEE' }])
    const upload = () => uploadStatement({ url: servers.list[0]?.url ?? '', organization_id }, { token }, { card_id: card.id, bytes })
    const blocker = new pg.Client({ connectionString: url })
    await blocker.connect()
    await blocker.query('BEGIN; LOCK TABLE statement_lines')
    const uploaded = upload()
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    await expect.poll(async () => (await askDatabase(url, waiting)).length).toBe(1)
    relay.moveTo('postgres://127.0.0.1:9/none')
    expect((await uploaded).status).toBe(503)
    relay.moveTo(url)
    await blocker.query('ROLLBACK')
    await blocker.end()
    await expect.poll(upload).toMatchObject({ status: 200, body: { added: 1 } })
  })
})
