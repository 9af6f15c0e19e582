import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOnPostgres } from '#test/support/databases/database-of'
import { askDatabase, expectEachOnce } from '#test/support/databases/repeated-writes'
import { type Servers, startServers } from '#test/support/databases/servers'
import { type SmallDisk, mountSmallDisk } from '#test/support/disks/small-disk'
import { type Cluster, startPostgres } from '../../scripts/postgres.mjs'

/** Where PostgreSQL's own user may enter. */
const home = '/var/tmp'
const disk: SmallDisk | undefined = isOnPostgres ? mountSmallDisk(100, home) : undefined

describe.skipIf(!isOnPostgres || !disk)('a database whose disk is full', () => {
  let cluster: Cluster
  let servers: Servers
  let url = ''
  beforeAll(async () => {
    const place = join(disk?.path ?? '', 'rows')
    mkdirSync(place)
    chmodSync(place, 0o700)
    if (process.getuid?.() === 0) spawnSync('chown', ['postgres:', place])
    cluster = await startPostgres({ isDurable: true })
    await askDatabase(cluster.url, `CREATE TABLESPACE small LOCATION '${place}'`)
    await askDatabase(cluster.url, 'CREATE DATABASE full_one TABLESPACE small')
    const address = new URL(cluster.url)
    address.pathname = '/full_one'
    url = address.href
    servers = await startServers(url, { count: 2 })
  })
  afterAll(async () => {
    await servers.close()
    await cluster.close()
    disk?.unmount()
  })
  const record = (key: string) =>
    servers.any.send(
      'POST',
      '/expenses',
      {
        payer: { id: servers.init.organization_id, type: 'Organization' },
        ...{ amount: 12.5, occurred_at: '2026-03-04', description: key.padEnd(4000, '.') },
      },
      { 'idempotency-key': key },
    )

  test('refuses writes with 507 and keeps nothing of them, answers reads, and takes the same writes once there is room', async () => {
    const stored: string[] = []
    const refused: string[] = []
    const statuses = new Set<number>()
    for (let turn = 0; turn < 5; turn += 1) {
      expect((await record(`before ${turn}`)).status).toBe(201)
      stored.push(`before ${turn}`)
    }
    disk?.fill()
    // What pages have room for may still be stored.
    for (let turn = 0; turn < 400 && refused.length < 12; turn += 1) {
      const { status, body } = await record(`full ${turn}`)
      statuses.add(status)
      if (status === 201) stored.push(`full ${turn}`)
      else {
        refused.push(`full ${turn}`)
        expect(body).toMatchObject({ errors: { message: expect.any(String) } })
      }
    }
    expect(refused.length).toBe(12)
    expect([...statuses].filter((status) => status !== 201)).toEqual([507])
    for (const index of [0, 1]) expect((await servers.api(index).get('/expenses')).status).toBe(200)
    disk?.makeRoom()
    for (const key of refused) await expect.poll(async () => (await record(key)).status).toBe(201)
    await expectEachOnce(
      url,
      [...stored, ...refused].map((key) => key.padEnd(4000, '.')),
    )
  })
})
