import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Served, runProgram, serveFolder, startProgram } from '#test/support/built-program'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Servers, startServers } from '#test/support/databases/servers'
import type { Api } from '#test/support/instance'

const place = 'remote of a replica'
const kills = Number(process.env.OUTLAY_TURNS ?? 4)

describe.skipIf(!isOnPostgres)('a replica whose remote is two servers behind a proxy', { timeout: 600_000 }, () => {
  let servers: Servers
  let client: pg.Client
  let folder = ''
  let replica: Served | undefined
  beforeAll(async () => {
    const url = (await databaseOf(place)) ?? ''
    client = new pg.Client({ connectionString: url })
    await client.connect()
    servers = await startServers(url, { count: 2 })
    folder = await mkdtemp(join(tmpdir(), 'outlay-replica-'))
  })
  afterAll(async () => {
    await replica?.stop()
    await servers.close()
    await client.end()
    await rm(folder, { recursive: true, force: true })
    await dropDatabaseOf(place)
  })

  test('has what they have, and they have what it has, each once, though they are killed in turn', async () => {
    const { token, organization_id } = servers.init
    const bodyOf = (description: string) => ({
      payer: { id: organization_id, type: 'Organization' },
      amount: 3,
      occurred_at: '2026-02-03',
      description,
    })
    const operations = Array.from({ length: 200 }, (_, index) => ({ method: 'POST', path: '/expenses', body: bodyOf(`before ${index}`) }))
    expect((await servers.any.send('POST', '/batch', { operations })).status).toBe(200)
    expect(await runProgram('remote', 'set', servers.proxy.url, '--token', token, '--data', folder)).toMatchObject({ code: 0 })
    expect(await runProgram('sync', '--data', folder)).toMatchObject({ code: 0 })
    replica = await serveFolder({ path: folder, token })

    const stored: string[] = []
    let isOver = false
    const write = async (name: string, api: Api) => {
      for (let turn = 0; !isOver; turn += 1) {
        const description = `${name} ${turn}`
        const request = () => api.send('POST', '/expenses', bodyOf(description), { 'idempotency-key': description })
        while (
          (await request().then(
            ({ status }) => status,
            () => 0,
          )) !== 201
        )
          await sleep(20)
        stored.push(description)
        await sleep(20)
      }
    }
    const writing = [write('replica', replica.api), write('remote', servers.any)]
    for (let turn = 0; turn < kills; turn += 1) {
      const exchange = startProgram(['sync', '--data', folder])
      await sleep(150 + ((turn * 137) % 400))
      await servers.list[turn % 2]?.stop('SIGKILL')
      await servers.start(turn % 2)
      await exchange.ended
    }
    isOver = true
    await Promise.all(writing)
    expect(await runProgram('sync', '--data', folder)).toMatchObject({ code: 0, result: { conflicts: 0, failed: 0 } })

    const raw = new Database(join(folder, 'outlay.db'), { readonly: true })
    const text = 'SELECT description FROM expenses ORDER BY description'
    const here = raw
      .prepare<[], { description: string }>(text)
      .all()
      .map(({ description }) => description)
    raw.close()
    const there = (await client.query<{ description: string }>(text)).rows.map(({ description }) => description)
    expect(here.toSorted()).toEqual(there.toSorted())
    expect(there.toSorted()).toEqual([...operations.map(({ body }) => body.description), ...stored].toSorted())
  })
})
