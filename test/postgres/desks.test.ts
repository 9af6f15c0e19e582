import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Export } from '#shared/contract/instance/exports'
import { databaseOf, dropDatabaseOf, isOnPostgres } from '#test/support/databases/database-of'
import { type Servers, startServers } from '#test/support/databases/servers'
import { settledExport } from '#test/support/exports'
import { pathOf, settled, uploadImport } from '#test/support/imports'

const place = 'desks of one database'
const rowCount = 1_500

/** Rows of so many expenses; `series` tells one file's expenses from another's. */
function table(series: string): string {
  const rows = Array.from(
    { length: rowCount },
    (_, index) => `Ada Admin,2026-03-${String((index % 28) + 1).padStart(2, '0')},${(index % 90) + 1}.25,${series} ${index}`,
  )
  return `${['Employee,Date,Amount,Description', ...rows].join('\n')}\n`
}

describe.skipIf(!isOnPostgres)('exports and imports of two servers on one database', () => {
  let servers: Servers
  let client: pg.Client
  beforeAll(async () => {
    const url = (await databaseOf(place)) ?? ''
    client = new pg.Client({ connectionString: url })
    await client.connect()
    servers = await startServers(url, { count: 2 })
  })
  afterAll(async () => {
    for (const { child } of servers.list) child.kill('SIGCONT')
    await servers.close()
    await client.end()
    await dropDatabaseOf(place)
  })

  const upload = async (index: number, series: string) => {
    const { token, organization_id } = servers.init
    const { status, body } = await uploadImport({ url: servers.list[index]?.url ?? '' }, { token, organization_id, bytes: table(series) })
    expect(status).toBe(201)
    return body
  }
  const stored = async (series: string) =>
    (
      await client.query<{ count: number; names: number }>(
        `SELECT count(*)::int AS count, count(DISTINCT description)::int AS names FROM expenses WHERE description LIKE '${series} %' AND deleted_at IS NULL`,
      )
    ).rows[0]
  /** The server that has a job, as soon as one has it. */
  const workerOf = (id: string, condition = 'true') =>
    vi.waitFor(
      async () => {
        const { rows } = await client.query<{ holder: string }>(
          `SELECT holder FROM jobs WHERE id = $1 AND holder IS NOT NULL AND ${condition}`,
          [id],
        )
        const index = servers.list.findIndex(({ child }) => rows[0]?.holder.startsWith(`${child.pid}-`))
        if (index < 0) throw new Error('Nobody has it yet.')
        return index
      },
      { timeout: 60_000, interval: 2 },
    )

  test('an import is read, shown and run by any; what a killed one leaves, the other ends, each row once', async () => {
    const made = await upload(0, 'Killed')
    const read = await settled(servers.api(1), made)
    expect(read).toMatchObject({ state: 'ready', report: { imported: rowCount } })
    expect((await servers.api(1).send('POST', `${pathOf(made)}/run`)).status).toBe(200)
    const worker = await workerOf(made.id, 'done > 0')
    await servers.list[worker]?.stop('SIGKILL')
    expect((await settled(servers.api(1 - worker), made)).state).toBe('finished')
    expect(await stored('Killed')).toEqual({ count: rowCount, names: rowCount })
    await servers.start(worker)
    expect((await servers.api(worker).get(pathOf(made))).body.state).toBe('finished')
  })

  test('an import that is removed at the other server stops, and nothing is stored of it from then on', async () => {
    const made = await upload(1, 'Stopped')
    await settled(servers.api(0), made)
    await servers.api(0).send('POST', `${pathOf(made)}/run`)
    const worker = await workerOf(made.id, 'done > 0')
    expect((await servers.api(1 - worker).send('DELETE', pathOf(made))).status).toBe(204)
    const { count = 0 } = (await stored('Stopped')) ?? {}
    expect(count).toBeLessThan(rowCount)
    expect((await servers.api(worker).get(pathOf(made))).status).toBe(404)
    await vi.waitFor(() => expect([...servers.bucket.objects.keys()].filter((key) => key.includes(made.id))).toEqual([]), {
      timeout: 60_000,
    })
    await sleep(2_000)
    expect((await stored('Stopped'))?.count).toBe(count)
  })

  test('an export is given out by any, also where its server stood still, was replaced, and woke up again', async () => {
    const ask = (index: number) => servers.api(index).send<Export>('POST', '/exports', { format: 'xlsx' })
    const { body: made } = await ask(0)
    const worker = await workerOf(made.id)
    const { child } = servers.list[worker] ?? {}
    child?.kill('SIGSTOP')
    const other = servers.api(1 - worker)
    expect(['running', 'waiting']).toContain((await other.get<Export>(`/exports/${made.id}`)).body.state)
    const finished = await settledExport(other, made)
    child?.kill('SIGCONT')
    expect(finished.state).toBe('finished')
    const bytesAt = async (index: number) => {
      const { body } = await servers.api(index).get<Export>(`/exports/${made.id}`)
      expect(body).toMatchObject({ state: 'finished', sha256: finished.sha256 })
      const response = await fetch(body.url ?? '')
      expect(response.status).toBe(200)
      return (await response.arrayBuffer()).byteLength
    }
    await sleep(1_500)
    expect(await bytesAt(worker)).toBe(finished.bytes)
    expect(await bytesAt(1 - worker)).toBe(finished.bytes)

    const { body: second } = await ask(0)
    const taker = await workerOf(second.id)
    expect((await servers.api(1 - taker).send('DELETE', `/exports/${second.id}`)).status).toBe(204)
    expect((await servers.api(taker).get(`/exports/${second.id}`)).status).toBe(404)
    await servers.api(taker).send('DELETE', `/exports/${made.id}`)
    await vi.waitFor(() => expect([...servers.bucket.objects.keys()].filter((key) => key.includes('exports/'))).toEqual([]), {
      timeout: 60_000,
    })
  })

  test('a server that stops hands its work on', async () => {
    const { body: made } = await servers.api(0).send<Export>('POST', '/exports', { format: 'xlsx' })
    const worker = await workerOf(made.id)
    await servers.list[worker]?.stop()
    expect((await settledExport(servers.api(1 - worker), made)).state).toBe('finished')
    await servers.start(worker)
  })
})
