import { execFile } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '#main/clock'
import { Store } from '#main/store/core/store'
import { startS3 } from '#test/support/s3'
import { startPostgres } from '../../../scripts/postgres.mjs'
import { cases } from '../cases'
import { importRows } from '../imports'
import { type Load, measure } from '../load'
import { processorMs, processorMsOfAll } from './processor'
import { type Seeded, seed } from '../seed'
import { type Running, startProgram } from '../servers'
import { outlay } from '../sync-wire'

/** What was measured of one database and so many servers. */
interface Figure {
  readonly per_second: number
  readonly p99_ms: number | undefined
  /** Processor time for each: of the servers, and of the database where it has processes of its own. */
  readonly server_ms: number
  readonly database_ms: number
}

/** One row: SQLite, and PostgreSQL with one, two and four servers; the best of the rounds. */
type Row = Map<string, Figure>

/** A database with servers that can be started on it. */
interface Side {
  readonly name: string
  readonly servers: number
  readonly seeded: Seeded
  readonly url: string | undefined
  readonly settings: Record<string, string>
  readonly databaseMs: () => number
}

interface Scale {
  readonly expenses: number
  readonly rounds: number
  readonly seconds: number
}

const connections = 16
/** How many expenses each run moves: no two runs the same ones. */
const moved = 100
const imported = 1_000

function headers(token: string) {
  return {
    authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}`,
    'content-type': 'application/json',
    'user-agent': 'bench',
  }
}

/** The requests of the main table that are compared, and a page of the feed of changes. */
const compared = ['show one expense', 'list 30, newest first', 'record an expense', 'move an expense']

class Comparing {
  readonly rows = new Map<string, Row>()
  readonly #scale: Scale
  #runs = 0
  constructor(scale: Scale) {
    this.#scale = scale
  }

  /** Starts the servers of a side, measures all that is asked of them, and stops them. */
  async measureSide(side: Side, isWanted: (name: string) => boolean): Promise<void> {
    const folders = Array.from({ length: side.servers }, (_, index) =>
      index === 0 ? side.seeded.folder : `${side.seeded.folder}-${index}`,
    )
    for (const folder of folders) mkdirSync(folder, { recursive: true })
    const servers = await Promise.all(folders.map((folder) => startProgram(folder, side.settings)))
    try {
      for (const { name, load } of cases.filter((one) => compared.includes(one.name) && isWanted(one.name)))
        await this.#measureLoad(side, servers, { name, load: () => this.#fresh(load(side.seeded, 0), side.seeded) })
      if (isWanted(feedName)) await this.#measureLoad(side, servers, { name: feedName, load: await feedOf(side, servers) })
      if (isWanted(batchName)) await this.#timed(side, servers, { name: batchName, work: () => this.#sendBatch(side.seeded, servers) })
      if (isWanted(pullName)) await this.#timed(side, servers, { name: pullName, work: () => this.#pull(side.seeded, servers) })
    } finally {
      await Promise.all(servers.map((server) => server.stop()))
    }
    if (side.servers === 1 && isWanted(importName)) await this.#import(side)
  }

  /** Moves are of expenses that no run has moved. */
  #fresh(load: Load, { expenses }: Seeded): Load {
    if (load.method !== 'PUT') return load
    this.#runs += 1
    return { ...load, ids: { first: Math.floor(expenses / 2) + this.#runs * moved, count: moved, order: 'rising' } }
  }

  async #measureLoad(side: Side, servers: readonly Running[], { name, load }: { name: string; load: () => Load }): Promise<void> {
    const run = (seconds: number) =>
      Promise.all(
        servers.map(({ url }) => {
          const { token, folder } = side.seeded
          return measure({ url, token, folder, load: load(), seconds, connections: connections / servers.length })
        }),
      )
    // Once to warm up.
    await run(1)
    const used = usage(side, servers)
    const measured = await run(this.#scale.seconds)
    const per_second = measured.reduce((sum, one) => sum + one.per_second, 0)
    this.#note(side, name, {
      per_second,
      p99_ms: Math.max(...measured.map((one) => one.p99_ms)),
      ...used(per_second * this.#scale.seconds),
    })
  }

  async #timed(side: Side, servers: readonly Running[], { name, work }: { name: string; work: () => Promise<number> }): Promise<void> {
    const used = usage(side, servers)
    const start = performance.now()
    const count = await work()
    this.#note(side, name, { per_second: (count * 1000) / (performance.now() - start), p99_ms: undefined, ...used(count) })
  }

  async #sendBatch({ token, expenses }: Seeded, [server]: readonly Running[]): Promise<number> {
    this.#runs += 1
    const first = Math.floor(expenses / 2) + this.#runs * moved
    const operations = Array.from({ length: moved }, (_, index) => ({
      method: 'PUT',
      path: `/expenses/${first + index}/status`,
      body: { status: 'approved', approved_amount: 1 },
    }))
    const answer = await fetch(`${server?.url}/api/v1/batch`, {
      method: 'POST',
      headers: headers(token),
      body: JSON.stringify({ operations }),
    })
    const text = await answer.text()
    if (text.split('"status":"approved"').length - 1 !== moved)
      throw new Error(`Not every operation of the batch was done: ${text.slice(0, 300)}`)
    return moved
  }

  /** The first exchange of a new replica. */
  async #pull({ token, folder }: Seeded, [server]: readonly Running[]): Promise<number> {
    this.#runs += 1
    const replica = `${folder}-replica-${this.#runs}`
    await outlay(replica, 'remote', 'set', server?.url ?? '', '--token', token)
    const { pulled } = await outlay(replica, 'sync')
    return pulled
  }

  async #import({ seeded, url, ...side }: Side): Promise<void> {
    this.#runs += 1
    const store = await Store.open(seeded.folder, { clock: systemClock, isOwner: false, database_url: url })
    try {
      const own = [{ url: '', ready_ms: 0, pid: process.pid, stop: () => Promise.resolve() }]
      const work = () => importRows(store, seeded, { count: imported, from: this.#runs * imported }).then(() => imported)
      await this.#timed({ ...side, seeded, url }, own, { name: importName, work })
    } finally {
      await store.close()
    }
  }

  #note({ name: side }: Side, name: string, figure: Figure): void {
    const row = this.rows.get(name) ?? new Map<string, Figure>()
    this.rows.set(name, row)
    const best = row.get(side)
    if (!best || figure.server_ms + figure.database_ms < best.server_ms + best.database_ms) row.set(side, figure)
  }
}

const feedName = 'page of the feed'
const batchName = `batch of ${moved} approvals`
const importName = 'import of rows'
const pullName = 'first pull'

/** What servers and database use of the processor from now on, for each of a count. */
function usage(side: Side, servers: readonly Running[]): (count: number) => Pick<Figure, 'server_ms' | 'database_ms'> {
  const take = () => [servers.reduce((sum, { pid }) => sum + processorMs(pid), 0), side.databaseMs()] as const
  const before = take()
  return (count) => {
    const [server, database] = take()
    return { server_ms: (server - before[0]) / count, database_ms: (database - before[1]) / count }
  }
}

/** A page of 200 changes of expenses. */
async function feedOf({ seeded: { token } }: Side, [server]: readonly Running[]): Promise<() => Load> {
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${server?.url}/api/v1${path}`, { method, headers: headers(token), body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json() as Promise<T>
  }
  const device = { uid: '0199f3a0-0000-7000-8000-000000000001', name: 'bench', turn: null }
  const { scopes } = await ask<{ scopes: string[] }>('POST', '/sync/handshake', {
    protocol: { min: 1, max: 1 },
    schema: 1,
    device,
    cursor: null,
  })
  const { cursor } = await ask<{ cursor: string }>('GET', '/sync/snapshot?limit=1')
  const operations = Array.from({ length: 200 }, (_, index) => ({
    method: 'PATCH',
    path: `/expenses/${index + 1}`,
    body: { location: cursor },
  }))
  await ask('POST', '/batch', { operations })
  return () => ({
    method: 'GET',
    path: `/api/v1/sync/changes?cursor=${encodeURIComponent(cursor)}&scopes=${encodeURIComponent(scopes.join(','))}&limit=500`,
  })
}

/** Measures SQLite and PostgreSQL, which waits for the disk, in turns; `say` gets each row. */
export async function measureDatabases(
  folder: string,
  { isWanted, say, ...scale }: Scale & { isWanted: (name: string) => boolean; say: (text: string) => void },
): Promise<void> {
  const sqlite = await seed(join(folder, 'sqlite'), scale.expenses)
  const cluster = await startPostgres({ isDurable: true })
  const bucket = await startS3(() => new Date())
  try {
    const postgres = { ...sqlite, folder: join(folder, 'postgres') }
    cpSync(sqlite.folder, postgres.folder, { recursive: true })
    const settings = { OUTLAY_DATABASE_URL: cluster.url, ...bucket.fileSettings }
    const program = join(import.meta.dirname, '../main/cli.js')
    await promisify(execFile)(process.execPath, [program, 'migrate-database', '--data', postgres.folder], {
      env: { ...process.env, ...settings },
    })
    const comparing = new Comparing(scale)
    const sides: Side[] = [
      { name: 'SQLite', servers: 1, seeded: sqlite, url: undefined, settings: {}, databaseMs: () => 0 },
      ...[1, 2, 4].map((servers) => ({
        ...{ name: `PostgreSQL, ${servers}`, servers, seeded: postgres, url: cluster.url, settings },
        databaseMs: () => processorMsOfAll(cluster.pid()),
      })),
    ]
    for (let round = 0; round < scale.rounds; round += 1)
      for (const side of sides) if (isWanted(side.name)) await comparing.measureSide(side, isWanted)
    for (const [name, row] of comparing.rows)
      for (const [side, figure] of row) say(toLine(name, { side, figure, least: row.get('SQLite') }))
  } finally {
    await bucket.close()
    await cluster.close()
  }
}

function toLine(name: string, { side, figure, least }: { side: string; figure: Figure; least: Figure | undefined }): string {
  const { per_second, p99_ms, server_ms, database_ms } = figure
  const rate = least ? per_second / least.per_second : 1
  const byProcessor = least ? least.server_ms / (server_ms + database_ms) : 1
  const parts = [
    ...[name.padEnd(24), side.padEnd(14), per_second.toFixed(0).padStart(7), rate.toFixed(2).padStart(5)],
    ...[
      server_ms.toFixed(2).padStart(7),
      database_ms.toFixed(2).padStart(6),
      byProcessor.toFixed(2).padStart(5),
      p99_ms?.toFixed(1).padStart(7) ?? '',
    ],
  ]
  return parts.join('  ')
}
