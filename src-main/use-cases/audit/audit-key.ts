import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, writeDurably } from '#main/files/durable'
import { forgetSetting, keepSetting, readOrMakeSetting } from '#main/store/core/instance-settings'
import type { Store, Tx } from '#main/store/core/store'

/** The setting that stores the key in a database that several servers share. */
const setting = 'audit_key'

/** The file of the instance's key in its data folder. */
export const auditKeyFile = 'audit-key.pem'

/** The key that signs seals: Ed25519. */
export interface AuditKey {
  /** The public key: SPKI, DER, base64. */
  readonly public_key: string
  /** Signs bytes; base64. */
  readonly sign: (bytes: Uint8Array) => string
}

function toKey(key: KeyObject): AuditKey {
  const public_key = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
  return { public_key, sign: (bytes) => sign(null, bytes, key).toString('base64') }
}

/** The instance's key; undefined if none was made yet. Throws if the file has no key. */
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

/** The instance's key. It is made on first use, and on disk before anything is signed with it. Only the owner of a folder may call this. */
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

/** Reads the operator's key, and removes one that was stored in the database: anyone who can change rows could sign with it. */
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
 * Gives all servers on a database the same key: the operator's file if set, which then stays out of the database; otherwise the first server's, which
 * is stored in the database. The key is written to the folder; another key there is kept as `audit-key.earlier.pem`. Throws if the file has no key.
 */
export async function shareAuditKey(store: Store, data_folder: string, file?: string): Promise<void> {
  const own = await readKey(data_folder)
  const shared = file === undefined ? await readOrMakeSetting(store, setting, () => own ?? makeKey()) : await takeKey(store, file)
  if (own === shared) return
  if (own !== undefined) await rename(join(data_folder, auditKeyFile), join(data_folder, 'audit-key.earlier.pem'))
  await keepKey(data_folder, shared)
}

/** Stores a folder's key in the database that takes its data, for servers with other folders; nothing if no key was made yet. */
export async function handOverAuditKey(tx: Tx, data_folder: string): Promise<void> {
  const own = await readKey(data_folder)
  if (own !== undefined) await keepSetting(tx, setting, own)
}

/** Removes the key from a database after it was written to a file. */
export function forgetAuditKey(store: Store): Promise<void> {
  return forgetSetting(store, setting)
}
