import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOnPostgres } from '#test/support/databases/database-of'
import { askDatabase, expectEachOnce, startWriters } from '#test/support/databases/repeated-writes'
import { type Servers, startServers } from '#test/support/databases/servers'
import { type Cluster, startPostgres } from '../../scripts/postgres.mjs'

/** `npm run torture -- postgres [COUNT]` breaks more often. */
const isLong = process.env.TORTURE === 'postgres'
const breaks = isLong ? Number(process.env.TORTURE_COUNT ?? 200) : 6
const timeout = isLong ? 3_600_000 : 120_000
const writers = 4
const processes = 3

describe.skipIf(!isOnPostgres && !isLong)(`${processes} servers on PostgreSQL while things break`, { timeout }, () => {
  let cluster: Cluster
  let servers: Servers

  /** Kills a server while others serve, and starts it again. */
  async function killServer(index: number): Promise<void> {
    await servers.list[index]?.stop('SIGKILL')
    for (let isServed = false; !isServed; ) {
      // PostgreSQL may not respond yet.
      isServed = await servers.start(index).then(() => true, () => false)
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
})
