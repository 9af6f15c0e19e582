import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { databaseFiles } from './database-files'
import { DatabaseError, damaged } from './database-error'
import { findLogDamage } from './log-damage'
import { refuseNewer } from './migrate'

/** Who examines a database before it is opened. */
export interface Examiner {
  /** Whether no other process uses the database. The log of a database in use changes while it is read. */
  readonly isAlone: boolean
  readonly isOwner: boolean
}

/** Throws {@link DatabaseError} if a database must not be opened for writing. Does not change the files. */
export function examine(dataFolder: string, { isAlone, isOwner }: Examiner): void {
  const [path, log] = databaseFiles(dataFolder)
  if (bytesOf(path) === 0) return refuseWithoutDatabase(dataFolder)
  if (isAlone) refuseLogDamage(log)
  // Only a database whose creation was interrupted has a journal in addition to its log; opening it for writing rolls the journal back.
  if (!isOwner || bytesOf(`${path}-journal`) > 0) return
  // A writable connection would apply the log to the database when it closes.
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

/** Whether a data folder without a database shows traces of one. A new, empty database would hide the loss. */
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

/** Skips databases that were closed cleanly: they have no write-ahead log. Only the others are worth the time. */
function refuseDamaged(raw: Database.Database): void {
  const left = raw.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE name = 'instance_settings'").get()
  if (!left) return
  const clean = raw.prepare("SELECT value FROM instance_settings WHERE key = 'closed_cleanly'").pluck().get() === 'yes'
  if (clean) return
  const found = raw.pragma('quick_check(3)', { simple: true })
  if (found !== 'ok') throw damaged(String(found).replaceAll(/\s*\n\s*/g, '; '))
}
