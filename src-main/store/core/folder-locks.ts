import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { DatabaseError } from './database-error'

const turnWaitMs = 60_000
const turnPauseMs = 10

/**
 * Takes the lock that only one serving process may hold on a data folder. The system releases it when the process ends, even in a crash. Returns the
 * function that releases it. Throws {@link DatabaseError} `in_use`.
 */
export function lockDataFolder(dataFolder: string): () => void {
  return lockFile(dataFolder, 'owner.lock')
}

/** Takes a named lock of a data folder, as {@link lockDataFolder} does. */
export function lockFile(dataFolder: string, name: string): () => void {
  const unlock = tryLock(dataFolder, name)
  if (unlock === undefined) throw new DatabaseError('in_use', 'Another Outlay is already serving this data folder.')
  return unlock
}

/** A process's use of the database of a data folder. */
export interface FolderUse<T> {
  readonly opened: T
  /** Ends the use. */
  readonly leave: () => void
}

/**
 * Opens the database of a data folder, one process after another; each counts as using it until it leaves or ends. `open` gets whether this process
 * is the only one, so that it may check and replace files. Throws {@link DatabaseError} `in_use` after waiting a minute, and the errors of `open`.
 */
export async function openInTurn<T>(dataFolder: string, open: (isAlone: boolean) => Promise<T>): Promise<FolderUse<T>> {
  const endTurn = await takeTurn(dataFolder)
  try {
    const leaveAlone = tryLock(dataFolder, inUse)
    try {
      const opened = await open(leaveAlone !== undefined)
      leaveAlone?.()
      return { opened, leave: enter(dataFolder) }
    } finally {
      leaveAlone?.()
    }
  } finally {
    endTurn()
  }
}

/** Runs work on the files of a data folder while no process uses its database. Throws {@link DatabaseError} `in_use`. */
export async function withFolderAlone<T>(dataFolder: string, work: () => Promise<T>): Promise<T> {
  const endTurn = await takeTurn(dataFolder)
  try {
    const leave = tryLock(dataFolder, inUse)
    if (leave === undefined) throw new DatabaseError('in_use', 'Another command is using this data folder. Try again when it has ended.')
    return await work().finally(leave)
  } finally {
    endTurn()
  }
}

const inUse = 'in-use.lock'

/** Waits without blocking the thread: the current holder may be this process. */
async function takeTurn(dataFolder: string): Promise<() => void> {
  for (let waitedMs = 0; waitedMs < turnWaitMs; waitedMs += turnPauseMs) {
    const endTurn = tryLock(dataFolder, 'opening.lock')
    if (endTurn !== undefined) return endTurn
    await sleep(turnPauseMs)
  }
  throw new DatabaseError('in_use', 'Another Outlay has been opening this data folder for too long. Try again.')
}

function tryLock(dataFolder: string, name: string): (() => void) | undefined {
  const raw = openLock(dataFolder, name)
  try {
    // Nothing is written, so a journal on disk would only need space that may be missing.
    raw.pragma('journal_mode = MEMORY')
    raw.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    raw.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
    throw error
  }
  return () => raw.close()
}

/** Takes a shared lock: many processes can hold it, and nobody can have the folder alone meanwhile. */
function enter(dataFolder: string): () => void {
  const raw = openLock(dataFolder, inUse)
  raw.exec('BEGIN; SELECT count(*) FROM sqlite_schema')
  return () => raw.close()
}

function openLock(dataFolder: string, name: string): Database.Database {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
  const raw = new Database(join(dataFolder, name))
  raw.pragma('busy_timeout = 0')
  return raw
}
