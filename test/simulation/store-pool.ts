import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Clock } from '#main/clock'
import { Store } from '#main/store/store'

/** A store that is used again for another history: opening one, and preparing its statements, costs more than a history does. */
export interface PooledStore {
  readonly folder: string
  readonly store: Store
  /** Whose time and chance it takes. */
  readonly clock: LentClock
  /** Puts another content into it, past the rules of the schema. */
  readonly filler: Filler
}

/** The clock of a store that is lent. */
export class LentClock implements Clock {
  lender: Clock
  constructor(lender: Clock) {
    this.lender = lender
  }
  now = () => this.lender.now()
  monotonicMs = () => this.lender.monotonicMs()
  uid = () => this.lender.uid()
  secret = (bytes: number) => this.lender.secret(bytes)
}

interface TableContent {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: ReadonlyArray<readonly unknown[]>
}

/** So many stores wait for the next history. */
const kept = 7
const free: PooledStore[] = []
const contents = new Map<string, readonly TableContent[]>()

/** Opens a store on a folder of its own that holds what another folder holds; `isKept`: that one never changes. */
export async function lend({
  folder,
  from,
  clock,
  isKept,
}: {
  folder: string
  from: string
  clock: Clock
  isKept: boolean
}): Promise<PooledStore> {
  const pooled = free.pop()
  if (!pooled) {
    if (from !== folder) cpSync(from, folder, { recursive: true })
    const lent = new LentClock(clock)
    const store = await Store.open(folder, { clock: lent, isOwner: true })
    return { folder, clock: lent, store, filler: new Filler(folder) }
  }
  pooled.clock.lender = clock
  for (const name of readdirSync(pooled.folder))
    if (!isDatabase(name)) rmSync(join(pooled.folder, name), { recursive: true, force: true })
  cpSync(from, pooled.folder, { recursive: true, filter: (path) => !isDatabase(path) })
  const content = contents.get(from) ?? readContent(from)
  if (isKept) contents.set(from, content)
  pooled.filler.fill(content)
  return pooled
}

/** Closes a store that nobody else will be lent. */
export async function closePooled({ store, filler }: PooledStore): Promise<void> {
  filler.close()
  await store.close()
}

/** Takes a store back, for the next history. */
export async function giveBack(pooled: PooledStore): Promise<void> {
  if (free.length < kept) return void free.push(pooled)
  await closePooled(pooled)
  rmSync(pooled.folder, { recursive: true, force: true })
}

let folders = 0
let root: string | undefined

/** A new folder for a site; it stays as long as its store is lent. */
export function siteFolder(): string {
  root ??= makeFolder()
  folders += 1
  return join(root, String(folders))
}

/** A folder for databases: in memory where the system has one, since nothing here has to survive it. */
export function makeFolder(): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'outlay-simulation-'))
}

/** Closes what nobody uses. */
export async function drain(): Promise<void> {
  for (const pooled of free.splice(0)) await closePooled(pooled)
  if (root !== undefined) rmSync(root, { recursive: true, force: true })
  root = undefined
}

const isDatabase = (path: string) => /outlay\.db(-wal|-shm)?$/.test(path)

function readContent(folder: string): TableContent[] {
  const raw = new Database(join(folder, 'outlay.db'), { readonly: true })
  const names = raw
    .prepare<[], string>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'expense_search' AND name NOT LIKE 'sqlite_stat%'`,
    )
    .pluck()
    .all()
  const content = names.map((name) => {
    const query = raw.prepare<[], unknown[]>(`SELECT * FROM ${name}`).raw()
    return { name, columns: query.columns().map((column) => column.name), rows: query.all() }
  })
  raw.close()
  return content
}

/** Writes all that a database holds; to prepare what that takes costs more than to do it. */
class Filler {
  readonly #raw: Database.Database
  readonly #prepared = new Map<string, Database.Statement>()
  constructor(folder: string) {
    // The tables of the search index are nobody's to write, unless one says so.
    this.#raw = new Database(join(folder, 'outlay.db')).unsafeMode()
    for (const pragma of ['foreign_keys = OFF', 'synchronous = OFF']) this.#raw.pragma(pragma)
  }

  /** The search index is what its own tables hold; what a trigger writes along is there twice, and once is kept. */
  fill(content: readonly TableContent[]): void {
    this.#run('BEGIN IMMEDIATE')
    // A trail is append-only where nothing is followed.
    this.#run(`INSERT OR IGNORE INTO sync_state (key, value, updated_at) VALUES ('remote', '', '')`)
    const rest = content.toSorted((a, b) => Number(a.name === 'sync_state') - Number(b.name === 'sync_state'))
    for (const { name } of rest) this.#run(`DELETE FROM ${name}`)
    for (const { name, columns, rows } of content) {
      if (name === 'sqlite_sequence') continue
      const places = columns.map(() => '?').join(', ')
      for (const row of rows) this.#run(`INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${places})`, row)
    }
    this.#run('DELETE FROM sqlite_sequence')
    for (const { name, rows } of content)
      if (name === 'sqlite_sequence')
        for (const row of rows) this.#run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', row)
    this.#run('COMMIT')
  }

  #run(text: string, values: readonly unknown[] = []): void {
    const known = this.#prepared.get(text) ?? this.#raw.prepare(text)
    this.#prepared.set(text, known)
    known.run(...values)
  }

  close(): void {
    this.#raw.close()
  }
}
