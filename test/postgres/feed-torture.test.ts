import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { followEvents } from '#test/support/databases/follow-events'
import { dawdling, withoutLock } from '#test/support/databases/log-lock'
import { type Servers, startServers } from '#test/support/databases/servers'
import type { Api, Json } from '#test/support/instance'

const processes = 4
const connections = 4
/** How often each connection writes; `OUTLAY_TURNS` sets another number. */
const turns = Number(process.env.OUTLAY_TURNS ?? 8)

const endings: Array<() => unknown> = []
afterEach(async () => {
  for (const end of endings.splice(0)) await end()
})

/** What writers do in turn: alone, sharing a transaction, with a step that is undone, and all undone. */
function kindsOf({ init }: Servers): ReadonlyArray<(api: Api, name: string) => Promise<unknown>> {
  const bodyOf = (description: string) => ({
    payer: { id: init.organization_id, type: 'Organization' },
    amount: 12.5,
    occurred_at: '2026-03-04',
    description,
  })
  const record = (description: string) => ({ method: 'POST', path: '/expenses', body: bodyOf(description) })
  const wrong = { method: 'POST', path: '/expenses', body: {} }
  return [
    (api, name) => api.send('POST', '/expenses', bodyOf(name)),
    (api, name) => api.send('POST', '/batch', { operations: [record(`${name} a`), wrong, record(`${name} b`)] }),
    (api, name) => api.send('POST', '/batch', { atomic: true, operations: [record(`${name} undone`), wrong] }),
    (api, name) => api.send('POST', '/batch', { atomic: true, operations: [record(`${name} a`), record(`${name} b`)] }),
  ]
}

/** Writes on all servers at once while readers follow; answers what is stored, and what each reader was given. */
async function torture({ isLocked }: { isLocked: boolean }): Promise<{ stored: number[]; followed: number[]; missed: number[][] }> {
  const place = `torture ${isLocked}`
  const url = (await databaseOf(place)) ?? ''
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const servers = await startServers(url, { count: processes })
  endings.push(
    () => servers.close(),
    () => client.end(),
    () => dropDatabaseOf(place),
  )
  for (const text of [...dawdling, ...(isLocked ? [] : withoutLock)]) await client.query(text)
  const listSeqs = async (after: number) =>
    (await client.query<{ seq: number }>('SELECT seq::int AS seq FROM change_log WHERE seq > $1 ORDER BY seq', [after])).rows.map(
      ({ seq }) => seq,
    )
  const [start = 0] = (await listSeqs(0)).slice(-1)
  const streams = await Promise.all(servers.list.map((server) => followEvents(server.url, servers.init.token)))
  for (const stream of streams) endings.unshift(() => stream.close())

  const followed: number[] = []
  let isOver = false
  const following = (async () => {
    while (!isOver) followed.push(...(await listSeqs(followed.at(-1) ?? start)))
  })()
  const kinds = kindsOf(servers)
  const write = async (connection: number) => {
    for (let turn = 0; turn < turns; turn += 1)
      await kinds[(turn + connection) % kinds.length]?.(servers.api(connection % processes), `${connection}.${turn}`)
  }
  await Promise.all(Array.from({ length: processes * connections }, (_, connection) => write(connection)))
  isOver = true
  await following
  followed.push(...(await listSeqs(followed.at(-1) ?? start)))

  const { body: last } = await servers
    .api(0)
    .send('POST', '/expenses', {
      payer: { id: servers.init.organization_id, type: 'Organization' },
      amount: 1,
      occurred_at: '2026-03-04',
      description: 'last',
    })
  const idsOf = (events: readonly Json[]) =>
    events.flatMap(({ changes = [] }) => changes).flatMap(({ table, id }: Json) => (table === 'expenses' ? [id] : []))
  for (const { events } of streams) await expect.poll(() => idsOf(events)).toContain(last.id)
  const { rows } = await client.query<{ id: number }>('SELECT id::int AS id FROM expenses ORDER BY id')
  const known = new Set(rows.map(({ id }) => id))
  const missed = streams.map(({ events }) => {
    const told = new Set(idsOf(events))
    return [...known].filter((id) => !told.has(id))
  })
  return { stored: (await listSeqs(start)).filter((seq) => seq <= (followed.at(-1) ?? 0)), followed, missed }
}

describe.skipIf(!isOnPostgres)(`the change feed of ${processes} servers with ${connections} connections each`, () => {
  test('has no gap and no reordering', async () => {
    const { stored, followed, missed } = await torture({ isLocked: true })
    expect(stored.length).toBeGreaterThan(processes * connections * turns)
    expect(followed).toEqual(stored)
    expect(missed).toEqual(missed.map(() => []))
  })
  test('has gaps without the lock', async () => {
    const { stored, followed } = await torture({ isLocked: false })
    const seen = new Set(followed)
    expect(stored.filter((seq) => !seen.has(seq)).length).toBeGreaterThan(0)
  })
})
