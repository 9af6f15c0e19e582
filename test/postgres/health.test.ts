import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '#main/clock'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Relay, startRelay } from '#test/support/databases/relay'
import { type Instance, startInstance } from '#test/support/instance'

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
    relay.moveTo(url)
    await expect.poll(ready).toMatchObject({ status: 200 })
  })

  test('says so to a probe where the database says nothing', async () => {
    relay.hold(true)
    expect(await ready()).toEqual(unavailable)
    expect(await ready()).toEqual(unavailable)
    relay.hold(false)
    await expect.poll(ready, { timeout: 60_000 }).toMatchObject({ status: 200 })
  })
})
