import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOnPostgres } from '#test/support/databases/database-of'
import { askDatabase, expectEachOnce, startWriters } from '#test/support/databases/repeated-writes'
import { type Servers, startServers } from '#test/support/databases/servers'
import { type Cluster, startPostgres } from '../../scripts/postgres.mjs'

/** `npm run torture -- postgres [COUNT]` breaks more often. */
const isLong = process.env.TORTURE === 'postgres'
const breaks = isLong ? Number(process.env.TORTURE_COUNT ?? 200) : 6
const timeout = isLong ? 3_600_000 : 300_000
const writers = 4
/** Longer than a request waits for it. */
const awayMs = isLong ? 60_000 : 9_000
const processes = 3

describe.skipIf(!isOnPostgres && !isLong)(`${processes} servers on PostgreSQL while things break`, { timeout }, () => {
  let cluster: Cluster
  let servers: Servers

  /** Kills a server while others serve, and starts it again. */
  async function killServer(index: number): Promise<void> {
    await servers.list[index]?.stop('SIGKILL')
    for (let isServed = false; !isServed;) {
      // PostgreSQL may not respond yet.
      isServed = await servers.start(index).then(
        () => true,
        () => false,
      )
      if (!isServed) await sleep(100)
    }
  }
  beforeAll(async () => {
    cluster = await startPostgres({ isDurable: true })
    servers = await startServers(cluster.url, { count: processes })
  })
  afterAll(async () => {
    await servers.close()
    await cluster.close()
  })

  let victim = 0
  const faults: ReadonlyArray<() => Promise<void>> = [
    () => killServer((victim += 1) % processes),
    () => cluster.restart(),
    async () =>
      void (await askDatabase(cluster.url, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'outlay%'")),
  ]

  test('keeps what it acknowledged, once, and answers 503 for the rest', async () => {
    const writing = startWriters(servers, writers)
    for (let turn = 0; turn < breaks; turn += 1) {
      await writing.more(writers)
      await sleep((turn * 37) % 100)
      await faults[turn % faults.length]?.()
    }
    await writing.end()
    await expectEachOnce(cluster.url, writing.keys)
    expect([...writing.failures.keys()].filter((outcome) => !['502', '503', '409', 'no answer'].includes(outcome))).toEqual([])
    if (isLong) console.log({ breaks, recorded: writing.keys.length, failures: Object.fromEntries(writing.failures) })
  })

  test(`responds 503 while PostgreSQL is down for ${awayMs / 1000} s, and serves again afterwards`, async () => {
    const healthOf = async (index: number, kind: 'live' | 'ready') => (await fetch(`${servers.list[index]?.url}/health/${kind}`)).status
    const countExpenses = async () => Number((await askDatabase(cluster.url, 'SELECT count(*) FROM expenses'))[0]?.count)
    const before = await countExpenses()
    const back = cluster.restart({ downMs: awayMs })
    await expect
      .poll(() =>
        countExpenses().then(
          () => 'there',
          () => 'away',
        ),
      )
      .toBe('away')
    const writing = servers.api(1).send('POST', '/organizations/1/tags', { name: 'Away' })
    const [ready, live, ...answers] = await Promise.all([
      healthOf(0, 'ready'),
      healthOf(0, 'live'),
      servers.api(0).get('/expenses'),
      writing,
    ])
    expect({ ready, live }).toEqual({ ready: 503, live: 200 })
    expect(answers.map(({ status }) => status)).toEqual([503, 503])
    await back
    for (const index of servers.list.keys()) {
      await expect.poll(() => healthOf(index, 'ready')).toBe(200)
      const expense = { payer: { id: servers.init.organization_id, type: 'Organization' }, amount: 1, occurred_at: '2026-03-04' }
      const key = { 'idempotency-key': `after ${index}` }
      await expect.poll(async () => (await servers.api(index).send('POST', '/expenses', expense, key)).status).toBe(201)
    }
    expect(await countExpenses()).toBe(before + processes)
  })
})
