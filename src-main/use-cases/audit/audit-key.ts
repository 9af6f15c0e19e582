import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, writeDurably } from '#main/files/durable'

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
  const text = await readFile(join(data_folder, auditKeyFile), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : toKey(createPrivateKey(text))
}

/** The instance's key; made at its first use, and on the disk before anything is signed with it. Only the owner of a folder may call this. */
export async function readOrMakeAuditKey(data_folder: string): Promise<AuditKey> {
  const found = await findAuditKey(data_folder)
  if (found) return found
  const { privateKey } = generateKeyPairSync('ed25519')
  await makeFolder(data_folder)
  await writeDurably(join(data_folder, auditKeyFile), Buffer.from(privateKey.export({ format: 'pem', type: 'pkcs8' })))
  return toKey(privateKey)
}
