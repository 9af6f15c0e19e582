import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '#main/files/durable'

/** Where the token of the remote is kept. */
export interface RemoteTokens {
  /** Whether a token could be kept now; a keeper may want a passphrase first. */
  canKeep(): Promise<boolean>
  keep(token: string): Promise<void>
  /** The token; undefined where there is none. */
  find(): Promise<string | undefined>
  forget(): Promise<void>
}

const fileName = 'remote-token'

/** Keeps the token in the data folder, readable only by its owner: a headless server has nobody to ask. */
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
