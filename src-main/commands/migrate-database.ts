import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../clock'
import { databasePath, hasDatabase } from '../store/core/database-files'
import { lockDataFolder } from '../store/core/folder-locks'
import { Store } from '../store/core/store'
import type { CopiedRows } from '../store/postgres/copy'
import { mendDerived } from '../store/records/expenses/derived-values'
import { isReplica } from '../store/sync/replica-state'
import { forgetAuditKey, handOverAuditKey, shareAuditKey } from '../use-cases/audit/audit-key'
import { cliActor, dataFolderOf, usableSettings } from './command-context'
import { CallError, type DataOption, WorkFailed, print } from './data-command'

interface MigrateOptions extends DataOption {
  readonly back?: true
}

/** `outlay migrate-database`: moves the data of a folder to PostgreSQL, or back. */
export function migrateDatabaseCommand(command: Command): Command {
  return command.option('--back', 'copy from PostgreSQL into a folder that has no database').action(migrateDatabase)
}

// Loaded here, so that other commands do not wait for it.
const loadCopy = () => import('../store/postgres/copy')

async function migrateDatabase(options: MigrateOptions): Promise<void> {
  const folder = dataFolderOf(options)
  const { OUTLAY_DATABASE_URL: url, OUTLAY_AUDIT_KEY_FILE: keyFile } = usableSettings(folder)
  if (url === undefined) throw new CallError('Set OUTLAY_DATABASE_URL to the address of the PostgreSQL database.')
  const counts = await (options.back ? moveBack(folder, { url, keyFile }) : moveOut(folder, { url, keyFile }))
  print({ ok: true, rows: Object.fromEntries(counts) })
}

/** The server: its database's address, and the file of the audit key if the operator keeps it outside. */
interface ServerPlace {
  readonly url: string
  readonly keyFile: string | undefined
}

/** Copies the folder to the server in one transaction, so that an interrupted move leaves nothing. Only reads the folder's database. */
async function moveOut(folder: string, { url, keyFile }: ServerPlace): Promise<CopiedRows> {
  if (!hasDatabase(folder)) throw new WorkFailed(`There is no Outlay database in ${folder}.`)
  const unlock = lockDataFolder(folder)
  try {
    // Migrates both to this program's schema, and keeps servers from using the target while it is filled.
    await refuseReplica(folder)
    const target = await Store.open(folder, { clock: systemClock, isOwner: true, database_url: url })
    try {
      const { copyToServer } = await loadCopy()
      return await target.transact(cliActor(0), async (tx) => {
        const counts = await copyToServer(databasePath(folder), tx)
        if (!counts) throw new WorkFailed('The PostgreSQL database holds data already. Name an empty one.')
        await mendDerived(tx)
        if (keyFile === undefined) await handOverAuditKey(tx, folder)
        return counts
      })
    } finally {
      await target.close()
    }
  } finally {
    unlock()
  }
}

async function refuseReplica(folder: string): Promise<void> {
  const store = await Store.open(folder, { clock: systemClock, isOwner: false })
  try {
    if (await isReplica(store.reader)) throw new WorkFailed('A replica stays on SQLite. Disconnect it first, or move its remote.')
    const [problem] = store.problems()
    if (problem !== undefined) throw new WorkFailed(`The database is damaged: ${problem}`)
  } finally {
    await store.close()
  }
}

/** Copies from the server to a folder without a database. Only reads the server's database. */
async function moveBack(folder: string, { url, keyFile }: ServerPlace): Promise<CopiedRows> {
  if (hasDatabase(folder))
    throw new WorkFailed(`${databasePath(folder)} is there already. Move it away first, and keep it until the copy is in use.`)
  // No server may use the source meanwhile.
  const source = await Store.open(folder, { clock: systemClock, isOwner: true, database_url: url })
  const scratch = join(folder, 'incoming', `database-${systemClock.uid()}`)
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    await openFile(scratch, () => Promise.resolve())
    const { copyToFile } = await loadCopy()
    const counts = await copyToFile(url, databasePath(scratch))
    if (!counts) throw new WorkFailed('The PostgreSQL database holds no data. Check OUTLAY_DATABASE_URL.')
    // The folder continues the chain with the servers' key, which is in a file there.
    await shareAuditKey(source, folder, keyFile)
    await openFile(scratch, async (store) => {
      await store.transact(cliActor(0), mendDerived)
      await forgetAuditKey(store)
    })
    await rename(databasePath(scratch), databasePath(folder))
    return counts
  } finally {
    await rm(scratch, { recursive: true, force: true })
    await source.close()
  }
}

async function openFile(folder: string, work: (store: Store) => Promise<void>): Promise<void> {
  const store = await Store.open(folder, { clock: systemClock, isOwner: true })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}
