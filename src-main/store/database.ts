import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import { migrations } from '#db/index'
import { isDiskFull } from '#shared/domain/out-of-room'
import { Connection } from './connection'
import { DatabaseRefused } from './database-refused'
import { findLogDamage } from './log-damage'

const fileName = 'outlay.db'
const full = 2
const closeWaitMs = 10_000
const reserveTries = 25
/** What SQLite needs beside a database to open it at all: the index of its log. */
const indexBytes = 32 * 1024

/** The files of the database in a data folder: the database, its write-ahead log, and the index of that. */
export function databaseFiles(dataFolder: string): [database: string, log: string, index: string] {
  const path = join(dataFolder, fileName)
  return [path, `${path}-wal`, `${path}-shm`]
}

/** Whether a data folder holds a database. */
export function hasDatabase(dataFolder: string): boolean {
  return existsSync(join(dataFolder, fileName))
}

/** The two connections of a process to one database: all writes go through one, reads never wait for them on the other. */
export interface Connections {
  readonly writer: Connection
  readonly reader: Connection
  /** Makes sure that what is committed from now on is durable; before the first write. On a full disk reads need none of it. */
  readonly prove: () => void
}

/** Throws {@link DatabaseRefused} where the owner may not go on with a database; what is there stays as it is, byte for byte. */
function examine([path, log]: readonly string[]): void {
  if (path === undefined || log === undefined || !existsSync(path)) return
  const found = findLogDamage(log)
  if (found !== undefined) throw damaged(found)
  // A connection that may write would carry the log over into the database when it is closed.
  const raw = new Database(path, { readonly: true })
  try {
    refuseNewer(raw)
    refuseDamaged(raw)
  } finally {
    raw.close()
  }
}

/**
 * Opens, checks and migrates the database of a data folder, making it when it is not there. Its owner, the one process that
 * serves the folder, checks it whole after a crash, and notes whether it was closed cleanly.
 * Where the disk is full it can be read. Throws {@link DatabaseRefused} when it was written by a newer program or is damaged.
 */
export async function openDatabase(dataFolder: string, { isOwner }: { isOwner: boolean }): Promise<Connections> {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const path = join(dataFolder, fileName)
  if (isOwner) giveUpReserve(dataFolder)
  if (isOwner) wordDamage(() => examine(databaseFiles(dataFolder)))
  const writer = new Connection(new Database(path))
  try {
    configure(writer)
    refuseNewer(writer.raw)
    await migrate(writer)
    const prove = createProof(writer, { isOwner })
    unlessFull(prove)
    // From here on a busy database is waited for without holding up the thread.
    writer.raw.pragma('busy_timeout = 0')
    const reader = new Connection(new Database(path))
    configure(reader)
    reader.raw.pragma('query_only = ON')
    return { writer, reader, prove }
  } catch (error) {
    writer.raw.close()
    throw asDamage(error)
  }
}

function wordDamage(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw asDamage(error)
  }
}

/** What the machine refuses says nothing of the database; whatever else SQLite says of one that it opens, is its damage. */
const faultsOfTheMachine = /^SQLITE_(FULL|READONLY|CANTOPEN|PERM|AUTH|BUSY|LOCKED|NOMEM|IOERR(?!_SHORT_READ|_CORRUPTFS))/

function asDamage(error: unknown): unknown {
  const isDamage = error instanceof Database.SqliteError && !faultsOfTheMachine.test(error.code)
  return isDamage ? damaged(error.message) : error
}

function damaged(found: string): DatabaseRefused {
  return new DatabaseRefused(
    'damaged',
    `The database is damaged (${found}). Restore a backup, or run "outlay doctor" to see more.`,
    found,
  )
}

function configure({ raw }: Connection): void {
  raw.pragma('journal_mode = WAL')
  raw.pragma('synchronous = FULL')
  raw.pragma('foreign_keys = ON')
  raw.pragma('busy_timeout = 2000')
  raw.pragma('trusted_schema = OFF')
  raw.pragma('cell_size_check = ON')
  raw.pragma('cache_size = -65536')
  raw.pragma('mmap_size = 268435456')
  raw.pragma('temp_store = MEMORY')
}

function refuseNewer(raw: Database.Database): void {
  const schema = Number(raw.pragma('user_version', { simple: true }))
  if (schema <= Object.keys(migrations).length) return
  const writer = raw.prepare("SELECT value FROM instance_settings WHERE key = 'program_version'").pluck().get()
  const version = typeof writer === 'string' ? `version ${writer}` : `schema ${schema}`
  throw new DatabaseRefused(
    'newer',
    `This data folder was written by a newer Outlay (${version}). Install that version or a later one to open it.`,
    version,
  )
}

/** A database that was closed cleanly has been checkpointed and has no write-ahead log; only another is worth the time. */
function refuseDamaged(raw: Database.Database): void {
  const left = raw.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE name = 'instance_settings'").get()
  if (!left) return
  const clean = raw.prepare("SELECT value FROM instance_settings WHERE key = 'closed_cleanly'").pluck().get() === 'yes'
  if (clean) return
  const found = raw.pragma('quick_check(3)', { simple: true })
  if (found !== 'ok') throw damaged(String(found).replaceAll(/\s*\n\s*/g, '; '))
}

async function migrate({ raw, db }: Connection): Promise<void> {
  const known = Object.keys(migrations).length
  if (Number(raw.pragma('user_version', { simple: true })) === known) return
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('The database could not be migrated.')
  raw.pragma(`user_version = ${known}`)
}

function createProof(writer: Connection, owner: { isOwner: boolean }): () => void {
  let isProven = false
  return () => {
    if (!isProven) proveDurable(writer, owner)
    isProven = true
  }
}

/** Leaves undone what a full disk has no room for. */
function unlessFull(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** The first write on a connection makes SQLite settle its durability: set it, write, and read back what holds. */
function proveDurable({ raw }: Connection, { isOwner }: { isOwner: boolean }): void {
  const key = isOwner ? 'closed_cleanly' : 'last_command'
  raw
    .prepare(
      `INSERT INTO instance_settings (key, value, updated_at) VALUES (?, 'no', strftime('%Y-%m-%dT%H:%M:%SZ'))
       ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at`,
    )
    .run(key)
  raw.pragma('synchronous = FULL')
  if (raw.pragma('synchronous', { simple: true }) !== full)
    throw new DatabaseRefused(
      'damaged',
      'SQLite does not keep synchronous=FULL on this machine: writes would not survive a power cut.',
    )
}

/** What SQLite says of every page of a database and of its references: empty when all is well. */
export function integrityProblems(raw: Database.Database): string[] {
  const integrity = raw
    .prepare('PRAGMA integrity_check(20)')
    .pluck()
    .all()
    .filter((line) => line !== 'ok')
  const dangling = raw.prepare('PRAGMA foreign_key_check').pluck().all()
  return [...integrity.map(String), ...dangling.map((table) => `A row of ${String(table)} refers to one that is not there.`)]
}

/** What is wrong with a database that lies by itself, as a snapshot does; it is only read. Empty when it can be used. */
export function problemsOfFile(path: string): string[] {
  try {
    const raw = new Database(path, { readonly: true, fileMustExist: true })
    try {
      refuseNewer(raw)
      return integrityProblems(raw)
    } finally {
      raw.close()
    }
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}

/** Copies a database that lies by itself, with what is still in its log. Throws what SQLite says of one that cannot be read. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const raw = new Database(from, { readonly: true, fileMustExist: true })
  try {
    await raw.backup(to)
  } finally {
    raw.close()
  }
}

/** Closes both connections; its owner marks the database as closed cleanly. */
export async function closeDatabase({ writer, reader }: Connections, { isOwner }: { isOwner: boolean }): Promise<void> {
  const { raw } = writer
  reader.raw.close()
  // Nobody is answered any more: another process that is writing may be waited for.
  raw.pragma(`busy_timeout = ${closeWaitMs}`)
  unlessFull(() => {
    // What was written here is not left for others to move into the database.
    raw.pragma('wal_checkpoint(PASSIVE)')
    if (isOwner) raw.prepare("UPDATE instance_settings SET value = 'yes' WHERE key = 'closed_cleanly'").run()
  })
  raw.close()
  if (isOwner) await keepReserve(raw.name)
}

/** Takes the room that SQLite has just given back. A system may take a moment until it hands that out again. */
async function keepReserve(path: string): Promise<void> {
  for (let tries = 0; tries < reserveTries; tries += 1) {
    try {
      return writeFileSync(reserveOf(path), Buffer.alloc(indexBytes), { mode: 0o600 })
    } catch (error) {
      if (!isDiskFull(error)) throw error
      await sleep(20)
    }
  }
}

/** While a database is closed, the room that its index needs is kept, so that on a full disk it can be opened and read. */
function reserveOf(path: string): string {
  return `${path}-reserve`
}

function giveUpReserve(dataFolder: string): void {
  rmSync(reserveOf(join(dataFolder, fileName)), { force: true })
}

/**
 * Takes the lock that only one serving process may hold on a data folder; the system releases it when the process ends,
 * however it ends. Answers how to release it. Throws {@link DatabaseRefused} `in_use`.
 */
export function lockDataFolder(dataFolder: string): () => void {
  return lockFile(dataFolder, 'owner.lock')
}

/** Takes a lock of a data folder by its name, as {@link lockDataFolder} does. */
export function lockFile(dataFolder: string, name: string): () => void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const raw = new Database(join(dataFolder, name))
  raw.pragma('busy_timeout = 0')
  try {
    // Nothing is ever written: a journal on disk would only need room that may not be there.
    raw.pragma('journal_mode = MEMORY')
    raw.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    raw.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new DatabaseRefused('in_use', 'Another Outlay is already serving this data folder.')
    throw error
  }
  return () => raw.close()
}
