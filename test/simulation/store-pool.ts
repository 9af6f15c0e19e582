import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import Database from 'better-sqlite3'
import type { Clock } from '#main/clock'
import { Store } from '#main/store/core/store'

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

/** What an instance held at one moment: all that was committed to its database, and its other files by their paths. */
export interface Copy {
  readonly files: ReadonlyMap<string, Buffer>
  readonly content: readonly TableContent[]
}

/** So many stores wait for the next history. */
const kept = 7
const free: PooledStore[] = []
let blank: readonly TableContent[] | undefined

/** A store on a folder of its own that holds what a copy holds; nothing where there is none. */
export async function lend({ from, clock }: { from: Copy | undefined; clock: Clock }): Promise<PooledStore> {
  const pooled = free.pop() ?? (await open(clock))
  blank ??= pooled.filler.read()
  pooled.clock.lender = clock
  for (const name of readdirSync(pooled.folder)) if (!isDatabase(name)) rmSync(join(pooled.folder, name), { recursive: true, force: true })
  for (const [path, bytes] of from?.files ?? []) {
    mkdirSync(dirname(join(pooled.folder, path)), { recursive: true })
    writeFileSync(join(pooled.folder, path), bytes)
  }
  const content = from?.content ?? blank
  // What its store has read before is seen no more.
  await pooled.store.lend(async () => pooled.filler.fill(content))
  return pooled
}

async function open(clock: Clock): Promise<PooledStore> {
  const folder = newFolder()
  const lent = new LentClock(clock)
  const store = await Store.open(folder, { clock: lent, isOwner: true })
  return { folder, clock: lent, store, filler: new Filler(folder) }
}

/** Copies what a store and its folder hold: what a kill at this moment would leave. */
export function copyOf({ folder, filler }: PooledStore): Copy {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile() && !isDatabase(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  return { files: new Map(paths.map((path) => [path, readFileSync(join(folder, path))])), content: filler.read() }
}

async function close({ store, filler, folder }: PooledStore): Promise<void> {
  filler.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}

/** Takes a store back, for the next history. */
export async function giveBack(pooled: PooledStore): Promise<void> {
  if (free.length < kept) free.push(pooled)
  else await close(pooled)
}

let folders = 0
let root: string | undefined

/** A new folder, in memory where the system has one: nothing here has to survive it. */
function newFolder(): string {
  root ??= mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'outlay-simulation-'))
  folders += 1
  const folder = join(root, String(folders))
  mkdirSync(folder)
  return folder
}

/** Removes all folders: nothing is lent any more, or will be. */
export function removeFolders(): void {
  if (root !== undefined) rmSync(root, { recursive: true, force: true })
  root = undefined
}

/** Closes what nobody uses, and leaves nothing behind. */
export async function drain(): Promise<void> {
  for (const pooled of free.splice(0)) await close(pooled)
  removeFolders()
}

const isDatabase = (path: string) => /outlay\.db(-wal|-shm)?$/.test(path)

/** Reads and writes all that a database holds; to prepare what that takes costs more than to do it. */
class Filler {
  readonly #raw: Database.Database
  readonly #prepared = new Map<string, Database.Statement<unknown[]>>()
  readonly #tables: ReadonlyArray<{ name: string; columns: readonly string[]; query: Database.Statement<[], unknown[]> }>
  constructor(folder: string) {
    // The tables of the search index are nobody's to write, unless one says so.
    this.#raw = new Database(join(folder, 'outlay.db')).unsafeMode()
    for (const pragma of ['foreign_keys = OFF', 'synchronous = OFF']) this.#raw.pragma(pragma)
    const names = this.#raw
      .prepare<[], string>(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'expense_search' AND name NOT LIKE 'sqlite_stat%'`,
      )
      .pluck()
      .all()
    this.#tables = names.map((name) => {
      const query = this.#raw.prepare<[], unknown[]>(`SELECT * FROM ${name}`).raw()
      return { name, columns: query.columns().map((column) => column.name), query }
    })
  }

  /** All that is committed. */
  read(): TableContent[] {
    this.#run('BEGIN')
    const content = this.#tables.map(({ name, columns, query }) => ({ name, columns, rows: query.all() }))
    this.#run('COMMIT')
    return content
  }

  /** The search index is what its own tables hold; what a trigger writes along is there twice, and once is kept. */
  fill(content: readonly TableContent[]): void {
    this.#run('BEGIN IMMEDIATE')
    // A trail is append-only where nothing is followed.
    this.#run(`INSERT OR IGNORE INTO sync_state (key, value, updated_at) VALUES ('remote', '', '')`)
    const rest = content.toSorted((a, b) => Number(a.name === 'sync_state') - Number(b.name === 'sync_state'))
    // Without a condition the pages of every index would be written, also of empty tables.
    for (const { name } of rest) this.#run(`DELETE FROM ${name} WHERE true`)
    for (const { name, columns, rows } of content) {
      if (name === 'sqlite_sequence') continue
      const places = columns.map(() => '?').join(', ')
      for (const row of rows) this.#run(`INSERT OR REPLACE INTO ${name} (${columns.join(', ')}) VALUES (${places})`, row)
    }
    this.#run('DELETE FROM sqlite_sequence')
    for (const { name, rows } of content)
      if (name === 'sqlite_sequence') for (const row of rows) this.#run('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', row)
    this.#run('COMMIT')
  }

  #run(text: string, values: readonly unknown[] = []): void {
    const known = this.#prepared.get(text) ?? this.#raw.prepare<unknown[]>(text)
    this.#prepared.set(text, known)
    known.run(...values)
  }

  close(): void {
    this.#raw.close()
  }
}
