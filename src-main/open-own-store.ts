import { access, constants } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Clock } from './clock'
import { type Settings, SettingsError, bucketOf } from './config/settings'
import { makeFolder } from './files/durable'
import { openOrRecover } from './snapshots/recover'
import { snapshotFolder } from './snapshots/snapshot-files'
import { toStartFault } from './snapshots/start-fault'
import { databasePath, holdsUsers } from './store/core/database-files'
import { DatabaseError } from './store/core/database-error'
import { lockDataFolder } from './store/core/folder-locks'
import { Store } from './store/core/store'
import { countUsers } from './store/records/users/user-reader'

/** Where the data are, and how to open them. */
export interface StorePlace {
  readonly data_folder: string
  readonly settings: Settings
  readonly startsOver?: boolean | undefined
}

/** Opens the data for the process that serves them, in their folder or on a server. Throws {@link StartFault} and {@link SettingsError}. */
export async function openOwnStore(
  { data_folder, settings, startsOver = true }: StorePlace,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<Store> {
  const { OUTLAY_DATABASE_URL: database_url } = settings
  const snapshots = snapshotFolder(data_folder, settings)
  if (database_url === undefined) {
    if (settings.OUTLAY_SNAPSHOT_MINUTES > 0) await assertWritable(settings)
    return openOrRecover({ data_folder, snapshots, clock, log, startsOver })
  }
  try {
    const store = await Store.open(data_folder, { clock, isOwner: true, database_url, sharesFiles: bucketOf(settings) !== undefined })
    if (!holdsUsers(data_folder) || (await countUsers(store.reader)) > 0) return store
    await store.close()
    throw new DatabaseError('left_behind', 'The database is empty, and the folder has data.', databasePath(data_folder))
  } catch (error) {
    const { host, pathname } = new URL(database_url)
    throw toStartFault(error, `${host}${pathname}`)
  }
}

/** Throws if the operator's snapshot folder is not writable, so that this is known at startup and not when a snapshot is needed. */
async function assertWritable({ OUTLAY_SNAPSHOT_FOLDER: folder }: Settings): Promise<void> {
  if (folder === undefined) return
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK)
  } catch (error) {
    throw new SettingsError(`The setting OUTLAY_SNAPSHOT_FOLDER is not valid: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** Takes the lock of a data folder; returns a function that releases it. Throws {@link StartFault}. */
export function lockOrRefuse(data_folder: string): () => void {
  try {
    return lockDataFolder(data_folder)
  } catch (error) {
    throw toStartFault(error, data_folder)
  }
}
