import { InvalidArgumentError } from 'commander'
import type { Row } from '#db/schema'
import { isCurrency, isWithdrawn } from '#shared/domain/currencies'
import { systemClock } from '../clock'
import { defaultDataFolder } from '../config/folders'
import { type Settings, SettingsError, bucketOf, readSettings } from '../config/settings'
import type { BlobStore } from '../files/blob-store'
import { openBlobStore } from '../files/open-blob-store'
import { tightenFolders } from '../files/tighten'
import { snapshotBeforeUpgrade } from '../snapshots/before-upgrade'
import { snapshotFolder } from '../snapshots/snapshot-files'
import { hasDatabase } from '../store/core/database-files'
import { findFirstAdmin } from '../store/records/organizations/member-directory'
import { findOrganization } from '../store/records/organizations/organization-reader'
import { type Actor, type Reader, Store } from '../store/core/store'
import { findReplicaValue } from '../store/sync/replica-state'
import { findUserByEmail } from '../store/records/users/user-reader'
import { type DataOption, WorkFailed, tell } from './data-command'

/** The data folder that a command works on. */
export function dataFolderOf({ data }: DataOption): string {
  return data ?? defaultDataFolder(process.env)
}

/** The data folder. Throws {@link WorkFailed} if it holds no data. */
export function existingFolderOf(options: DataOption): string {
  const folder = dataFolderOf(options)
  if (usableSettings(folder).OUTLAY_DATABASE_URL === undefined && !hasDatabase(folder))
    throw new WorkFailed(`There is no Outlay data in ${folder}. Create it with "outlay init" or "outlay demo".`)
  return folder
}

/**
 * Removes other users' access to a data folder and its snapshots, which an older version or a copy may have given; reports what it changed and what
 * it could not.
 */
export async function keepPrivate(folder: string): Promise<void> {
  const { changed, left } = await tightenFolders([folder, snapshotFolder(folder, usableSettings(folder))])
  if (changed > 0) tell(`Other users had rights to ${changed} files and folders in ${folder}. They have none now.`)
  if (left > 0) tell(`Other users have rights to ${left} files and folders in ${folder} that you may not change. Ask their owner.`)
}

/** Small, as a server may be running. */
const cacheMb = 32

/** Opens the store of a data folder; a server may be running on it. */
export function openStoreOf(folder: string): Promise<Store> {
  const beforeUpgrade = () => snapshotBeforeUpgrade(folder, { folder: snapshotFolder(folder, usableSettings(folder)), clock: systemClock })
  const { OUTLAY_DATABASE_URL: database_url } = usableSettings(folder)
  return Store.open(folder, { clock: systemClock, isOwner: false, cacheMb, beforeUpgrade, database_url })
}

/** The settings of a data folder; empty if they are invalid, which only "outlay doctor" and the server report. */
export function usableSettings(folder: string): Partial<Settings> {
  try {
    return readSettings(folder, process.env)
  } catch (error) {
    if (error instanceof SettingsError) return {}
    throw error
  }
}

/** The files of a data folder, in the folder or the bucket of its settings. */
export function openFilesOf(folder: string): Promise<BlobStore> {
  return openBlobStore(folder, { place: bucketOf(usableSettings(folder)), clock: systemClock })
}

/** Runs work on a store; see {@link openStoreOf}. */
export async function withStoreOf<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStoreOf(folder)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** Like {@link withStoreOf}, for a folder that must hold data. */
export function withStore<T>(options: DataOption, work: (store: Store) => Promise<T>): Promise<T> {
  return withStoreOf(existingFolderOf(options), work)
}

/**
 * Like {@link withStore}, for a command that writes. Throws {@link WorkFailed} on a replica: a write without the journal would never reach the
 * remote.
 */
export function withOwnStore<T>(options: DataOption, work: (store: Store) => Promise<T>): Promise<T> {
  return withStore(options, async (store) => {
    await assertNoReplica(store)
    return work(store)
  })
}

/** Throws {@link WorkFailed} if the folder is a replica. */
export async function assertNoReplica({ reader }: Store): Promise<void> {
  const remote = await findReplicaValue(reader, 'remote')
  if (remote) throw new WorkFailed(`This folder is a replica of ${remote.url}. Run this command there.`)
}

/** The command line as an actor of the audit trail, on behalf of a user. */
export function cliActor(user_id: number, origin = 'cli'): Actor {
  return { user_id, origin, request_id: null, if_match: null }
}

/** Finds an organization by id. Throws {@link WorkFailed}. */
export async function getOrganization(reader: Reader, id: number): Promise<Row<'organizations'>> {
  const organization = await findOrganization(reader, id)
  if (!organization) throw new WorkFailed(`There is no organization ${id}.`)
  return organization
}

/** Finds a user by e-mail address. Throws {@link WorkFailed}. */
export async function getUserByEmail(reader: Reader, email: string): Promise<Row<'users'>> {
  const user = await findUserByEmail(reader, email)
  if (!user) throw new WorkFailed(`There is no user with the e-mail address ${email}.`)
  return user
}

/** Finds the admin on whose behalf a command changes an organization. Throws {@link WorkFailed}. */
export async function getAdmin(reader: Reader, organization_id: number): Promise<Row<'users'>> {
  const admin = await findFirstAdmin(reader, organization_id)
  if (!admin) throw new WorkFailed(`Organization ${organization_id} has no admin.`)
  return admin
}

/** An id as an argument. */
export function toId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('an id is a whole number above 0')
  return Number(text)
}

/** A currency as an option. */
export function toCurrency(text: string): string {
  if (isWithdrawn(text)) throw new InvalidArgumentError(`${text} was withdrawn from ISO 4217; choose a currency in use`)
  if (!isCurrency(text)) throw new InvalidArgumentError('a currency is an ISO 4217 code such as BRL')
  return text
}

/** An e-mail address as an option. */
export function toEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) throw new InvalidArgumentError('that is not an e-mail address')
  return text
}

/** A text that is not blank, as an option. */
export function toText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('it may not be blank')
  return text.trim()
}
