import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { databaseFiles } from './database-files'
import { DatabaseError, damaged } from './database-error'
import { findLogDamage } from './log-damage'
import { refuseNewer } from './migrate'

/** Who looks at a database that is about to be opened. */
export interface Examiner {
  /** Whether no other process uses the database: the log of one that is used changes while it is read. */
  readonly isAlone: boolean
  readonly isOwner: boolean
}

/** Throws {@link DatabaseError} where a database may not be opened for writing; the files stay as they are, byte for byte. */
export function examine(dataFolder: string, { isAlone, isOwner }: Examiner): void {
  const [path, log] = databaseFiles(dataFolder)
  if (bytesOf(path) === 0) return refuseWithoutDatabase(dataFolder)
  if (isAlone) refuseLogDamage(log)
  // Only a database that was never finished has a journal in addition to its log: opening it for writing rolls it back.
  if (!isOwner || bytesOf(`${path}-journal`) > 0) return
  // A connection that may write would carry the log over into the database when it is closed.
  const raw = new Database(path, { readonly: true })
  try {
    refuseNewer(raw)
    refuseDamaged(raw)
  } finally {
    raw.close()
  }
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function refuseLogDamage(log: string): void {
  const found = findLogDamage(log)
  if (found !== undefined) throw damaged(found)
}

/** Whether files show that a data folder without a database had one: an empty one in its place would hide what is gone. */
export function hadDatabase(dataFolder: string): boolean {
  const [, log] = databaseFiles(dataFolder)
  const folders = existsSync(dataFolder) ? readdirSync(dataFolder) : []
  return (
    bytesOf(log) > 0 ||
    folders.some((name) => name.startsWith('replaced-') && existsSync(join(dataFolder, name, 'outlay.db'))) ||
    ['blobs', 'snapshots'].some((name) => holdsFiles(join(dataFolder, name)))
  )
}

function holdsFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())
}

function refuseWithoutDatabase(dataFolder: string): void {
  if (!hadDatabase(dataFolder)) return
  throw new DatabaseError(
    'missing',
    `${dataFolder} holds files of Outlay but no database. Restore a backup or a snapshot with "outlay restore", or put outlay.db back. To start with an empty instance, choose another folder. Nothing was changed.`,
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
