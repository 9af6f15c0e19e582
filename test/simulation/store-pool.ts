import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Clock } from '#main/clock'
import { findAnew } from '#main/store/expense-writer'
import { Store, type Tx } from '#main/store/store'

/** A store that is used again for another history: opening one, and preparing its statements, costs more than a history does. */
export interface PooledStore {
  readonly folder: string
  readonly store: Store
  /** Whose time and chance it takes. */
  readonly clock: LentClock
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
const nobody = { user_id: 0, origin: 'cli', request_id: null, if_match: null }

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
  const pooled = isKept ? free.pop() : undefined
  if (!pooled) {
    if (from !== folder) cpSync(from, folder, { recursive: true })
    const lent = new LentClock(clock)
    return { folder, clock: lent, store: await Store.open(folder, { clock: lent, isOwner: true }) }
  }
  pooled.clock.lender = clock
  for (const name of readdirSync(pooled.folder))
    if (!isDatabase(name)) rmSync(join(pooled.folder, name), { recursive: true, force: true })
  cpSync(from, pooled.folder, { recursive: true, filter: (path) => !isDatabase(path) })
  const content = contents.get(from) ?? readContent(from)
  contents.set(from, content)
  await pooled.store.transact(nobody, (tx) => fill(tx, content))
  return pooled
}

/** Takes a store back, for the next history. */
export async function giveBack(pooled: PooledStore): Promise<void> {
  if (free.length < kept) return void free.push(pooled)
  await pooled.store.close()
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
  for (const { store } of free.splice(0)) await store.close()
  if (root !== undefined) rmSync(root, { recursive: true, force: true })
  root = undefined
}

const isDatabase = (path: string) => /outlay\.db(-wal|-shm)?$/.test(path)

function readContent(folder: string): TableContent[] {
  const raw = new Database(join(folder, 'outlay.db'), { readonly: true })
  const names = raw
    .prepare<[], string>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'expense_search%' AND name NOT LIKE 'sqlite_stat%'`,
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

async function fill(tx: Tx, content: readonly TableContent[]): Promise<void> {
  tx.write('PRAGMA defer_foreign_keys = ON', [])
  // A trail is append-only where nothing is followed.
  tx.write(`INSERT OR IGNORE INTO sync_state (key, value, updated_at) VALUES ('remote', '', '')`, [])
  tx.write('DELETE FROM expense_search', [])
  for (const { name } of content) if (name !== 'sync_state') tx.write(`DELETE FROM ${name}`, [])
  tx.write('DELETE FROM sync_state', [])
  for (const { name, columns, rows } of content) {
    const text = `INSERT INTO ${name} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
    if (name !== 'sqlite_sequence') for (const row of rows) tx.write(text, row)
  }
  tx.write('DELETE FROM sqlite_sequence', [])
  for (const { name, rows } of content)
    if (name === 'sqlite_sequence') for (const row of rows) tx.write('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', row)
  const expenses = content.find(({ name }) => name === 'expenses')
  const id = expenses?.columns.indexOf('id') ?? 0
  for (const row of expenses?.rows ?? []) findAnew(tx, Number(row[id]))
}
