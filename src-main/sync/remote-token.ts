import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '#main/files/durable'

/** Stores the token of the remote. */
export interface RemoteTokens {
  /** Whether a token can be stored now; some keepers need a passphrase first. */
  canKeep(): Promise<boolean>
  keep(token: string): Promise<void>
  /** The token; undefined if there is none. */
  find(): Promise<string | undefined>
  forget(): Promise<void>
}

const fileName = 'remote-token'

/** Stores the token in the data folder, readable only by its owner: a headless server has nobody to ask for a passphrase. */
export function plainTokens(folder: string): RemoteTokens {
  const path = join(folder, fileName)
  return {
    canKeep: async () => true,
    keep: (token) => writeDurably(path, Buffer.from(token)),
    find: async () => {
      try {
        return (await readFile(path, 'utf8')).trim()
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
    },
    forget: () => rm(path, { force: true }),
  }
}
