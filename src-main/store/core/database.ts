import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { isDiskFull } from '#shared/domain/out-of-room'
import { Connection } from './connection'
import { WritingConnection } from './writing-connection'
import { DatabaseError, asDamage } from './database-error'
import { databasePath } from './database-files'
import { examine } from './examine'
import { openInTurn } from './folder-locks'
import { type UpgradeOptions, migrate, refuseNewer } from './migrate'
import { completeSwap } from './restore-swap'
import { keepRowSums } from './row-sums'

const full = 2
const closeWaitMs = 10_000
const reserveTries = 25
/** The size of the index of the write-ahead log; SQLite cannot open a database without it. */
const indexBytes = 32 * 1024

/** The two connections of a process to one database: one for all writes, one for reads, which never wait for writes. */
export interface Connections {
  readonly writer: WritingConnection
  readonly reader: Connection
  /** Makes sure that all later commits are durable. Called before the first write, so that reads work on a full disk. */
  readonly prove: () => void
  /** Releases the data folder, after both connections are closed. */
  readonly leave: () => void
}

/** How a database is opened. The owner is the one process that serves the folder. */
export interface OpenOptions extends Pick<UpgradeOptions, 'beforeUpgrade'> {
  readonly isOwner: boolean
  /** The limit of a connection's page cache, in megabytes. */
  readonly cacheMb?: number
}

/**
 * Opens, checks and migrates the database of a data folder; creates it in a new one. An interrupted restore is completed first. The first process to
 * open the database checks the write-ahead log before SQLite may apply it. The owner checks the whole database after a crash, and stores whether it
 * was closed cleanly. On a full disk the database can be read. Throws {@link DatabaseError}.
 */
export async function openDatabase(dataFolder: string, options: OpenOptions): Promise<Connections> {
  const { opened, leave } = await openInTurn(dataFolder, async (isAlone) => {
    try {
      if (isAlone) completeSwap(dataFolder)
      if (options.isOwner) giveUpReserve(dataFolder)
      examine(dataFolder, { isAlone, isOwner: options.isOwner })
      return await connect(dataFolder, { ...options, isAlone })
    } catch (error) {
      throw asDamage(error)
    }
  })
  return { ...opened, leave }
}

async function connect(
  dataFolder: string,
  { isOwner, cacheMb = 64, ...upgrade }: OpenOptions & UpgradeOptions,
): Promise<Omit<Connections, 'leave'>> {
  const path = databasePath(dataFolder)
  const writer = new WritingConnection(new Database(path))
  try {
    configure(writer, cacheMb)
    refuseNewer(writer.raw)
    await migrate(writer, upgrade)
    keepRowSums(writer.raw)
    const prove = createProof(writer, { isOwner })
    unlessFull(prove)
    // From here on waiting for a busy database does not block the thread.
    writer.raw.pragma('busy_timeout = 0')
    const reader = new Connection(new Database(path))
    configure(reader, cacheMb)
    reader.raw.pragma('query_only = ON')
    // Only the reader maps pages: an import would map all pages that it writes.
    reader.raw.pragma('mmap_size = 268435456')
    return { writer, reader, prove }
  } catch (error) {
    writer.raw.close()
    throw error
  }
}

function configure({ raw }: Connection, cacheMb: number): void {
  raw.pragma('journal_mode = WAL')
  raw.pragma('synchronous = FULL')
  raw.pragma('foreign_keys = ON')
  raw.pragma('busy_timeout = 2000')
  raw.pragma('trusted_schema = OFF')
  raw.pragma('cell_size_check = ON')
  raw.pragma(`cache_size = -${cacheMb * 1024}`)
  raw.pragma('mmap_size = 0')
  raw.pragma('temp_store = MEMORY')
}

function createProof(writer: Connection, owner: { isOwner: boolean }): () => void {
  let isProven = false
  return () => {
    if (!isProven) proveDurable(writer, owner)
    isProven = true
  }
}

/** Runs work, and skips it if the disk is full. */
function unlessFull(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isDiskFull(error)) throw error
  }
}

/** Makes SQLite settle the durability of a connection at its first write: sets it, writes, and reads back what is in force. */
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
    throw new DatabaseError('damaged', 'SQLite does not keep synchronous=FULL on this machine: writes would not survive a power cut.')
}

/** Closes both connections; its owner marks the database as closed cleanly. */
export async function closeDatabase({ writer, reader, leave }: Connections, { isOwner }: { isOwner: boolean }): Promise<void> {
  const { raw } = writer
  reader.raw.close()
  // No more responses are due, so it may wait for another process that is writing.
  raw.pragma(`busy_timeout = ${closeWaitMs}`)
  unlessFull(() => {
    // Moves its own writes into the database, so that others need not.
    raw.pragma('wal_checkpoint(PASSIVE)')
    if (isOwner) raw.prepare("UPDATE instance_settings SET value = 'yes' WHERE key = 'closed_cleanly'").run()
  })
  raw.close()
  leave()
  if (isOwner) await keepReserve(raw.name)
}

/** Takes the space that SQLite has just freed. Some systems take a moment to make it available again. */
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

/** The file that reserves space for the log's index while the database is closed, so that it can be opened and read on a full disk. */
function reserveOf(path: string): string {
  return `${path}-reserve`
}

function giveUpReserve(dataFolder: string): void {
  rmSync(reserveOf(databasePath(dataFolder)), { force: true })
}
