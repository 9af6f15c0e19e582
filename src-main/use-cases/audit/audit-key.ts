import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, writeDurably } from '#main/files/durable'
import { forgetSetting, keepSetting, readOrMakeSetting } from '#main/store/core/instance-settings'
import type { Store, Tx } from '#main/store/core/store'

/** Under which the key is kept in a database that several servers share. */
const setting = 'audit_key'

/** The file of the instance's key in its data folder. */
export const auditKeyFile = 'audit-key.pem'

/** The key that signs seals: Ed25519. */
export interface AuditKey {
  /** SPKI, DER, base64. */
  readonly public_key: string
  /** The signature, base64. */
  readonly sign: (bytes: Uint8Array) => string
}

function toKey(key: KeyObject): AuditKey {
  const public_key = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
  return { public_key, sign: (bytes) => sign(null, bytes, key).toString('base64') }
}

/** The instance's key; undefined where none was made yet. Throws where the file holds none. */
export async function findAuditKey(data_folder: string): Promise<AuditKey | undefined> {
  const text = await readKey(data_folder)
  return text === undefined ? undefined : toKey(createPrivateKey(text))
}

async function readKey(data_folder: string): Promise<string | undefined> {
  return readFile(join(data_folder, auditKeyFile), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
}

/** The instance's key; made at its first use, and on the disk before anything is signed with it. Only the owner of a folder may call this. */
export async function readOrMakeAuditKey(data_folder: string): Promise<AuditKey> {
  const found = await findAuditKey(data_folder)
  if (found) return found
  const text = makeKey()
  await keepKey(data_folder, text)
  return toKey(createPrivateKey(text))
}

function makeKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

/** The operator's key. One that was kept in the database goes: anyone who can change rows could sign with it. */
async function takeKey(store: Store, file: string): Promise<string> {
  const text = await readFile(file, 'utf8')
  if (createPrivateKey(text).asymmetricKeyType !== 'ed25519') throw new Error(`${file} holds no Ed25519 key.`)
  await forgetAuditKey(store)
  return text
}

async function keepKey(data_folder: string, text: string): Promise<void> {
  await makeFolder(data_folder)
  await writeDurably(join(data_folder, auditKeyFile), Buffer.from(text))
}

/**
 * Gives each server on a database the same key: that of a file if the operator names one, which then stays out of the database; else the
 * first server's, which is kept in the database. It is written to the folder. Another key that is there stays next to it, as
 * `audit-key.earlier.pem`. Throws where the file holds no key.
 */
export async function shareAuditKey(store: Store, data_folder: string, file?: string): Promise<void> {
  const own = await readKey(data_folder)
  const shared = file === undefined ? await readOrMakeSetting(store, setting, () => own ?? makeKey()) : await takeKey(store, file)
  if (own === shared) return
  if (own !== undefined) await rename(join(data_folder, auditKeyFile), join(data_folder, 'audit-key.earlier.pem'))
  await keepKey(data_folder, shared)
}

/** Keeps the key of a folder in the database that takes its data, for servers with other folders; none where none was made yet. */
export async function handOverAuditKey(tx: Tx, data_folder: string): Promise<void> {
  const own = await readKey(data_folder)
  if (own !== undefined) await keepSetting(tx, setting, own)
}

/** Removes the key from a database: it is in a file. */
export function forgetAuditKey(store: Store): Promise<void> {
  return forgetSetting(store, setting)
}
