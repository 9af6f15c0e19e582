import Database from 'better-sqlite3'
import { Migrator } from 'kysely/migration'
import { migrations } from '#db/index'
import type { Connection } from './connection'
import { DatabaseError, damaged, isFaultOfMachine } from './database-error'
import { sumAllRows } from './row-sums'

const current = Object.keys(migrations).length

/** The options of an upgrade of data. */
export interface UpgradeOptions {
  /** Whether no other process uses the database; otherwise it is not upgraded. */
  readonly isAlone: boolean
  /** Keeps a copy of the data. If it throws, the upgrade does not begin. */
  readonly beforeUpgrade?: (() => Promise<void>) | undefined
}

function versionOf(raw: Database.Database): number {
  return Number(raw.pragma('user_version', { simple: true }))
}

/** Throws {@link DatabaseError} `newer` if a later program wrote the database. */
export function refuseNewer(raw: Database.Database): void {
  const schema = versionOf(raw)
  if (schema <= current) return
  const writer = raw.prepare("SELECT value FROM instance_settings WHERE key = 'program_version'").pluck().get()
  const version = typeof writer === 'string' ? `version ${writer}` : `schema ${schema}`
  throw new DatabaseError(
    'newer',
    `This data folder was written by a newer Outlay (${version}). Install that version or a later one to open it.`,
    version,
  )
}

/**
 * Migrates a database to this program's schema. All pending migrations, Kysely's rows and the version are one transaction: a killed process leaves
 * the old schema. Throws {@link DatabaseError} without changing data.
 */
export async function migrate(connection: Connection, { isAlone, beforeUpgrade }: UpgradeOptions): Promise<void> {
  const { raw } = connection
  const found = versionOf(raw)
  if (found === current) return
  if (found > 0 && !isAlone)
    throw new DatabaseError(
      'in_use',
      'Another Outlay is using this data folder, and this version has to upgrade it. Stop the other one, then try again.',
    )
  if (found > 0) await beforeUpgrade?.()
  raw.exec('BEGIN IMMEDIATE')
  try {
    if (versionOf(raw) !== current) await runMigrations(connection)
    raw.exec('COMMIT')
  } catch (error) {
    if (raw.inTransaction) raw.exec('ROLLBACK')
    throw explain(error, found)
  }
}

async function runMigrations({ raw, db }: Connection): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...migrations }) } })
  // On SQLite Kysely leaves transactions to its caller: this call runs inside the open one.
  const { error } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('The database could not be migrated.')
  sumAllRows(raw)
  raw.pragma(`user_version = ${current}`)
}

function explain(error: unknown, found: number): unknown {
  if (!(error instanceof Error) || isFaultOfMachine(error)) return error
  if (error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) return damaged(error.message)
  return new DatabaseError(
    'not_upgraded',
    `The data could not be upgraded from schema ${found} to ${current} (${error.message}). Nothing was changed. Install the version of Outlay that you used before to keep working, and report this error.`,
    error.message,
  )
}
