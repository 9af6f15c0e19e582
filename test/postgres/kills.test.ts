import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOnPostgres } from '#test/support/databases/database-of'
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
  const failures = new Map<string, number>()

  /** Kills a server while others serve, and starts it again. */
  async function killServer(index: number): Promise<void> {
    await servers.list[index]?.stop('SIGKILL')
    for (let isServed = false; !isServed; ) {
      // PostgreSQL may not respond yet.
      isServed = await servers.start(index).then(() => true, () => false)
      if (!isServed) await sleep(100)
    }
  }
  const asked = (text: string, values: unknown[] = []) =>
    withClient(async (client) => (await client.query(text, values)).rows)
  async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: cluster.url })
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
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

  /** Sends a request until it is answered for good; what an answer leaves open is asked again with the same key. */
  async function record(key: string): Promise<void> {
    const body = { payer: { id: servers.init.organization_id, type: 'Organization' }, amount: 12.5, occurred_at: '2026-03-04', description: key }
    for (;;) {
      const outcome = await servers.any
        .send('POST', '/expenses', body, { 'idempotency-key': key })
        .then(
          ({ status }) => String(status),
          () => 'no answer',
        )
      if (outcome === '201') return
      failures.set(outcome, (failures.get(outcome) ?? 0) + 1)
      await sleep(20)
    }
  }

  let victim = 0
  const faults: ReadonlyArray<() => Promise<void>> = [
    () => killServer((victim += 1) % processes),
    () => cluster.restart(),
    async () =>
      void (await asked("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'outlay%'")),
  ]

  test('keeps what it acknowledged, once, and answers 503 for the rest', async () => {
    let isOver = false
    const keys: string[] = []
    const write = async (writer: number) => {
      for (let turn = 0; !isOver; turn += 1) {
        const key = `key ${writer} ${turn}`
        await record(key)
        keys.push(key)
      }
    }
    const writing = Array.from({ length: writers }, (_, writer) => write(writer))
    for (let turn = 0; turn < breaks; turn += 1) {
      const enough = keys.length + writers
      while (keys.length < enough) await sleep(5)
      await sleep((turn * 37) % 100)
      await faults[turn % faults.length]?.()
    }
    isOver = true
    await Promise.all(writing)

    const found = await asked('SELECT description, count(*)::int AS count FROM expenses GROUP BY description ORDER BY description COLLATE "C"')
    expect(found).toEqual(keys.toSorted().map((description) => ({ description, count: 1 })))
    const [told] = await asked(`SELECT count(*)::int AS told, count(DISTINCT record_id)::int AS records FROM change_log WHERE table_name = 'expenses' AND operation = 'insert'`)
    expect(told).toEqual({ told: keys.length, records: keys.length })
    const [trail] = await asked(`SELECT count(*)::int AS count FROM activities WHERE subject_type = 'Expense' AND event = 'expense_created'`)
    expect(trail).toEqual({ count: keys.length })
    expect([...failures.keys()].filter((outcome) => !['502', '503', '409', 'no answer'].includes(outcome))).toEqual([])
    if (isLong) console.log({ breaks, recorded: keys.length, failures: Object.fromEntries(failures) })
  })
})
