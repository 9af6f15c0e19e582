import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { type IncomingMessage, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Database from 'better-sqlite3'
import { openBare } from './floor'

const pack = promisify(gzip)
const tables = ['expenses', 'activities'] as const

/** Rows of one table as the floor sends them. */
interface Part {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: ReadonlyArray<ReadonlyArray<string | number | null>>
}
interface Page {
  readonly parts: readonly Part[]
  readonly next: number | null
}

/** What the floor's client is told to do. */
export interface FloorWork {
  readonly url: string
  readonly folder: string
  readonly kind: 'pull' | 'changes' | 'push'
  readonly limit: number
  readonly count: number
}

function open(file: string): Database.Database {
  const db = new Database(file)
  for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'cache_size = -65536', 'mmap_size = 268435456']) db.pragma(pragma)
  return db
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** The floor's server: pages of rows from SQLite, packed, and rows taken in; no caller is known and nothing is checked. */
export async function serveSyncFloor(folder: string): Promise<void> {
  const db = openBare(folder)
  db.exec('CREATE TABLE IF NOT EXISTS floor_changes (seq INTEGER PRIMARY KEY, id INTEGER NOT NULL)')
  db.exec('CREATE TABLE IF NOT EXISTS floor_taken (uid TEXT PRIMARY KEY, row TEXT NOT NULL)')
  const read = (name: string, query: string, ...values: number[]): Part => {
    const run = db.prepare<number[], Array<string | number | null>>(query).raw()
    return { name, columns: run.columns().map((column) => column.name), rows: run.all(...values) }
  }
  const pull = (place: number, limit: number): Page => {
    const table = Math.floor(place / 1e9)
    const name = tables[table]
    if (!name) return { parts: [], next: null }
    const part = read(name, `SELECT * FROM ${name} WHERE id > ? ORDER BY id LIMIT ?`, place % 1e9, limit)
    const last = Number(part.rows.at(-1)?.[part.columns.indexOf('id')] ?? 0)
    const next = part.rows.length < limit ? (table + 1) * 1e9 : table * 1e9 + last
    return { parts: [part], next: next >= tables.length * 1e9 ? null : next }
  }
  const changes = (place: number, limit: number): Page => {
    const ids = db.prepare<[number, number], number>('SELECT id FROM floor_changes WHERE seq > ? ORDER BY seq LIMIT ?')
    const list = ids.pluck().all(place, limit).join(',')
    const parts = [
      read('expenses', `SELECT * FROM expenses WHERE id IN (${list})`),
      read('activities', `SELECT * FROM activities WHERE subject_id IN (${list})`),
    ]
    return { parts, next: list.split(',').length < limit ? null : place + limit }
  }
  const take = db.prepare('INSERT OR IGNORE INTO floor_taken (uid, row) VALUES (?, ?)')
  const answer = async (path: string, request: IncomingMessage): Promise<unknown> => {
    const { pathname, searchParams } = new URL(path, 'http://floor')
    const [place, limit] = [Number(searchParams.get('place')), Number(searchParams.get('limit'))]
    if (pathname === '/pull') return pull(place, limit)
    if (pathname === '/changes') return changes(place, limit)
    if (pathname === '/change') {
      db.exec(`DELETE FROM floor_changes; INSERT INTO floor_changes (id) SELECT id FROM expenses ORDER BY id LIMIT ${limit}`)
      return {}
    }
    const rows: Array<[uid: string, row: string]> = JSON.parse(await bodyOf(request))
    db.transaction(() => rows.forEach(([uid, row]) => take.run(uid, row)))()
    return rows.map(([uid]) => uid)
  }
  const server = createServer((request, response) => {
    void answer(request.url ?? '/', request).then(async (value) => {
      const packed = await pack(JSON.stringify(value), { level: 1 })
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`)
}

/** The floor's client: writes what comes, a page and its place in one transaction; prints how long it took. */
export async function runFloorClient(text: string): Promise<void> {
  const work: FloorWork = JSON.parse(text)
  mkdirSync(work.folder, { recursive: true })
  const db = open(join(work.folder, 'floor.db'))
  db.exec('CREATE TABLE IF NOT EXISTS place (id INTEGER PRIMARY KEY, place INTEGER)')
  const counted = { requests: 0, bytes: 0 }
  const ask = async (path: string, body?: string): Promise<string> => {
    const response = await fetch(`${work.url}${path}`, { method: body === undefined ? 'GET' : 'POST', body })
    counted.requests += 1
    return response.text()
  }
  const started = performance.now()
  if (work.kind === 'push') await push(db, work, ask)
  else await pullAll(db, work, ask)
  process.stdout.write(`${JSON.stringify({ ms: performance.now() - started, ...counted })}\n`)
  db.close()
}

type Ask = (path: string, body?: string) => Promise<string>

async function pullAll(db: Database.Database, { kind, limit }: FloorWork, ask: Ask): Promise<void> {
  const keep = db.prepare('INSERT OR REPLACE INTO place (id, place) VALUES (1, ?)')
  for (let place: number | null = 0; place !== null;) {
    const page: Page = JSON.parse(await ask(`/${kind}?place=${place}&limit=${limit}`))
    for (const { name, columns } of page.parts) {
      const declared = columns.map((column) => (column === 'id' ? 'id INTEGER PRIMARY KEY' : column)).join(', ')
      db.exec(`CREATE TABLE IF NOT EXISTS ${name} (${declared})`)
      db.exec(`CREATE UNIQUE INDEX IF NOT EXISTS ${name}_uid ON ${name} (uid)`)
    }
    db.transaction(() => {
      for (const { name, columns, rows } of page.parts) {
        const insert = db.prepare(`INSERT OR REPLACE INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`)
        for (const row of rows) insert.run(...row)
      }
      keep.run(page.next)
    })()
    place = page.next
  }
}

async function push(db: Database.Database, { limit, count }: FloorWork, ask: Ask): Promise<void> {
  const rows = db.prepare<[number], { uid: string }>('SELECT * FROM expenses LIMIT ?').all(count)
  db.exec('CREATE TABLE IF NOT EXISTS sent (uid TEXT PRIMARY KEY)')
  const note = db.prepare('INSERT OR REPLACE INTO sent (uid) VALUES (?)')
  for (let done = 0; done < rows.length; done += limit) {
    const part = rows.slice(done, done + limit).map((row) => [row.uid, JSON.stringify(row)])
    const taken: string[] = JSON.parse(await ask('/push', JSON.stringify(part)))
    db.transaction(() => taken.forEach((uid) => note.run(uid)))()
  }
}
