import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import Database from 'better-sqlite3'
import { type ComparedFiles, compareFiles } from '#main/snapshots/compare-files'
import { salvagedTables } from './position'

/** What is read of a damaged database: where it is, what is known already, and where the rows go. */
export interface SalvageTask {
  /** The damaged database and its log, which stay as they are. */
  readonly files: readonly string[]
  /** A folder for a copy, which is gone afterwards. */
  readonly scratch: string
  /** The database in its place; its first page helps where that of the damaged one is spoiled. */
  readonly sound: string
  readonly last: Readonly<Record<string, number>>
  /** The folder of the uploaded files, and when the damage was found. */
  readonly blobs: string | null
  readonly found_at: string
  /** Where the rows are written, as JSON. */
  readonly to: string
}

/** A row as SQLite gives it. */
type SalvagedRow = Readonly<Record<string, string | number | null>>

interface Newer {
  readonly is_complete: boolean
  readonly rows: Readonly<Record<string, readonly SalvagedRow[]>>
}
/** What could be read, and how the uploaded files agree with the database that is used now. */
export type Salvaged = Newer & ComparedFiles

/** How often a table is asked at the most: around every spoiled page the rows are looked for one by one. */
const mostQueries = 20_000

/** Reads what was written after a snapshot out of a damaged database, as far as it goes. */
export function salvageRows(task: SalvageTask): Salvaged {
  const { is_complete, rows } = attempt(() => readCopy(task)) ?? { is_complete: false, rows: {} }
  const files = compareFiles({ ...task, before: new Date(task.found_at) })
  const content = Object.fromEntries(Object.entries({ ...rows, ...files }).filter(([, found]) => found.length > 0))
  writeFileSync(`${task.to}.part`, JSON.stringify(content, null, 1), { mode: 0o600, flush: true })
  return { is_complete, rows, ...files }
}

function readCopy({ files, scratch, sound, last }: SalvageTask): Newer {
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true, mode: 0o700 })
  let raw: Database.Database | undefined
  try {
    for (const file of files) if (existsSync(file)) copyFileSync(file, join(scratch, basename(file)))
    raw = openCopy(join(scratch, basename(files[0] ?? '')), sound)
    return readNewer(raw, last)
  } finally {
    raw?.close()
    rmSync(scratch, { recursive: true, force: true })
  }
}

function openCopy(path: string, sound: string): Database.Database {
  try {
    return opened(path)
  } catch {
    // Every snapshot has its pages where the database has them: with the first page of one, the others can be found again.
    transplantHead(sound, path)
    return opened(path)
  }
}

function opened(path: string): Database.Database {
  const raw = new Database(path, { fileMustExist: true })
  try {
    // What of the schema cannot be read is left out, instead of all of it.
    raw.unsafeMode(true)
    raw.pragma('writable_schema = ON')
    raw.prepare('SELECT max(seq) FROM change_log WHERE seq < 0').get()
    return raw
  } catch (error) {
    raw.close()
    throw error
  }
}

function transplantHead(from: string, to: string): void {
  const page = Buffer.alloc(4096)
  const source = openSync(from, 'r')
  readSync(source, page, 0, page.length, 0)
  closeSync(source)
  const target = openSync(to, 'r+')
  // The size of the database in pages is there too (file format, 1.3).
  page.writeUInt32BE(Math.floor(fstatSync(target).size / page.length), 28)
  writeSync(target, page, 0, page.length, 0)
  fsyncSync(target)
  closeSync(target)
}

function readNewer(raw: Database.Database, last: SalvageTask['last']): Newer {
  const rows: Record<string, readonly SalvagedRow[]> = {}
  let is_complete = true
  for (const table of salvagedTables) {
    const newer = readAfter(raw, table, last[table] ?? 0)
    rows[table] = newer.rows
    is_complete &&= newer.is_complete
  }
  // What was there before and has changed since is in the log of changes.
  for (const table of ['expenses', 'comments'] as const) {
    const known = new Set(rows[table]?.map(({ id }) => id))
    const changed = (rows.change_log ?? []).filter(({ table_name, record_id }) => table_name === table && !known.has(record_id ?? 0))
    for (const id of new Set(changed.map(({ record_id }) => Number(record_id)))) {
      const found = attempt(() => raw.prepare<[number], SalvagedRow>(`SELECT * FROM ${table} WHERE rowid = ?`).all(id))
      if (found === undefined) is_complete = false
      rows[table] = [...(rows[table] ?? []), ...(found ?? [])]
    }
  }
  return { is_complete, rows }
}

/** The rows after an id; a range that cannot be read is halved, until only spoiled rows are left out. */
function readAfter(raw: Database.Database, table: string, after: number): { rows: SalvagedRow[]; is_complete: boolean } {
  const top = attempt(() => Number(raw.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get() ?? 0))
  const sequence = attempt(() => Number(raw.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').pluck().get(table) ?? 0))
  const rows: SalvagedRow[] = []
  let is_complete = top !== undefined
  const ranges = [{ from: after, to: Math.max(top ?? 0, sequence ?? 0) }]
  for (let queries = 0; ranges.length > 0; queries += 1) {
    const { from, to } = ranges.pop() ?? { from: 0, to: 0 }
    if (to <= from) continue
    if (queries > mostQueries) return { rows, is_complete: false }
    const text = `SELECT * FROM ${table} WHERE rowid > ? AND rowid <= ? ORDER BY rowid`
    const found = attempt(() => raw.prepare<[number, number], SalvagedRow>(text).all(from, to))
    if (found !== undefined) rows.push(...found)
    else if (to - from === 1) is_complete = false
    else {
      const middle = Math.floor((from + to) / 2)
      ranges.push({ from: middle, to }, { from, to: middle })
    }
  }
  return { rows, is_complete }
}

/** What SQLite cannot read is left out. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
