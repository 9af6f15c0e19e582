import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { safeStorage } from 'electron'
import { z } from 'zod'
import type { SecretState } from '#shared/desktop/preferences'
import { writeDurably } from '#main/files/durable'
import { RemoteError } from '#main/sync/remote-error'
import { type RemoteTokens, plainTokens } from '#main/sync/remote'

const fileName = 'remote-token.sealed'
const deriveKey = promisify<string, Buffer, number, Buffer>(scrypt)
const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'))

/** How the token is stored: encrypted by the system's keyring, or with a key derived from a passphrase. */
const sealedFile = z.discriminatedUnion('by', [
  z.object({ by: z.literal('keyring'), sealed: bytes }),
  z.object({ by: z.literal('passphrase'), salt: bytes, iv: bytes, sealed: bytes, tag: bytes }),
])

const sealedText = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('not JSON')
      return z.NEVER
    }
  })
  .pipe(sealedFile)

/** Stores the remote's token so that a copy of the folder does not reveal it. */
export interface SecretKeeper extends RemoteTokens {
  state(): Promise<SecretState>
  /** Sets the passphrase, or tries the existing one. */
  unlock(passphrase: string): Promise<'open' | 'wrong'>
}

/** Whether the system encrypts secrets; some Linux desktops would store them in plain text. */
function hasKeyring(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false
  return process.platform !== 'linux' || !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend())
}

/** Makes the keeper of a data folder. It encrypts a headless server's plain token as soon as possible. */
export function createSecretKeeper(folder: string): SecretKeeper {
  const path = join(folder, fileName)
  const open = plainTokens(folder)
  let passphrase: string | undefined

  // An unreadable token is treated as missing: the person enters it again.
  const readSealed = async () => {
    const text = await readFile(path, 'utf8').catch(() => '')
    return sealedText.safeParse(text).data
  }
  const keep = async (token: string) => {
    const sealed = await seal(token, passphrase)
    if (!sealed) throw new RemoteError('unauthorized', lockedText)
    await writeDurably(path, Buffer.from(JSON.stringify(sealed)))
    await open.forget()
  }
  return {
    canKeep: async () => hasKeyring() || passphrase !== undefined,
    keep,
    find: async () => {
      const sealed = await readSealed()
      const token = sealed ? await unseal(sealed, passphrase) : await open.find()
      if (sealed && token === undefined) throw new RemoteError('unauthorized', lockedText)
      if (!sealed && token !== undefined && (hasKeyring() || passphrase !== undefined)) await keep(token)
      return token
    },
    forget: async () => {
      await rm(path, { force: true })
      await open.forget()
    },
    state: async () => {
      const sealed = await readSealed()
      if (sealed?.by === 'passphrase') return passphrase === undefined ? 'locked' : 'passphrase'
      if (hasKeyring()) return 'keyring'
      return passphrase === undefined ? 'unset' : 'passphrase'
    },
    unlock: async (given) => {
      const sealed = await readSealed()
      if (sealed?.by === 'passphrase' && (await unseal(sealed, given)) === undefined) return 'wrong'
      passphrase = given
      const token = sealed ? undefined : await open.find()
      if (token !== undefined) await keep(token)
      return 'open'
    },
  }
}

const lockedText = 'The token of the remote cannot be opened. Type its passphrase in the settings, or sign in to the remote again.'

async function seal(token: string, passphrase: string | undefined): Promise<object | undefined> {
  if (hasKeyring()) return { by: 'keyring', sealed: safeStorage.encryptString(token).toString('base64') }
  if (passphrase === undefined) return undefined
  const salt = randomBytes(16)
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt, 32), iv)
  const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  const text = (part: Buffer) => part.toString('base64')
  return { by: 'passphrase', salt: text(salt), iv: text(iv), sealed: text(sealed), tag: text(cipher.getAuthTag()) }
}

/** The token; undefined if it cannot be decrypted: no or a wrong passphrase, or a new keyring. */
async function unseal(file: z.output<typeof sealedFile>, passphrase: string | undefined): Promise<string | undefined> {
  try {
    if (file.by === 'keyring') return safeStorage.decryptString(file.sealed)
    if (passphrase === undefined) return undefined
    const decipher = createDecipheriv('aes-256-gcm', await deriveKey(passphrase, file.salt, 32), file.iv)
    decipher.setAuthTag(file.tag)
    return Buffer.concat([decipher.update(file.sealed), decipher.final()]).toString()
  } catch {
    return undefined
  }
}
