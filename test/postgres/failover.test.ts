import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOnPostgres } from '#test/support/databases/database-of'
import { type Relay, startRelay } from '#test/support/databases/relay'
import { askDatabase, expectEachOnce, startWriters } from '#test/support/databases/repeated-writes'
import { type Servers, startServers } from '#test/support/databases/servers'
import { type Cluster, startPostgres, startStandby } from '../../scripts/postgres.mjs'

describe.skipIf(!isOnPostgres)('a standby that takes over', () => {
  let primary: Cluster
  let standby: Cluster
  let relay: Relay
  let servers: Servers
  beforeAll(async () => {
    primary = await startPostgres({ isDurable: true })
    standby = await startStandby(primary)
    // A commit is acknowledged once the standby has it: else what was acknowledged last is lost with the primary.
    await askDatabase(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
    await askDatabase(primary.url, 'SELECT pg_reload_conf()')
    relay = await startRelay(primary.url)
    servers = await startServers(relay.url, { count: 2 })
  })
  afterAll(async () => {
    await servers.close()
    await relay.close()
    await standby.close()
    await primary.close()
  })

  test('has what was acknowledged, once; until it takes writes they get 503, and reads an answer', async () => {
    const writing = startWriters(servers, 4)
    await writing.more(8)
    const before = writing.keys.length
    await primary.crash()
    relay.moveTo(standby.url)
    await expect.poll(async () => (await servers.api(0).get('/expenses')).status).toBe(200)
    await sleep(300)
    await askDatabase(standby.url, 'SELECT pg_promote()')
    await writing.more(12)
    await writing.end()
    expect(writing.keys.length).toBeGreaterThan(before)
    await expectEachOnce(standby.url, writing.keys)
    expect([...writing.failures.keys()].filter((outcome) => !['409', '502', '503', 'no answer'].includes(outcome))).toEqual([])
    // Both servers go on with what they keep and with the feed.
    for (const index of [0, 1]) {
      const { status, body } = await servers
        .api(index)
        .send('PATCH', `/organizations/${servers.init.organization_id}`, { name: `After ${index}` })
      expect({ status, name: body.name }).toEqual({ status: 200, name: `After ${index}` })
      expect((await servers.api(1 - index).get(`/organizations/${servers.init.organization_id}`)).body.name).toBe(`After ${index}`)
    }
  })
})
