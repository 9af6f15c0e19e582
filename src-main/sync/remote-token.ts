import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '#main/files/durable'

const fileName = 'remote-token'

/** Keeps the token of the remote beside the data, readable by its owner alone. */
export function keepToken(folder: string, token: string): Promise<void> {
  return writeDurably(join(folder, fileName), Buffer.from(token))
}

/** The token of the remote; undefined where there is none. */
export async function findToken(folder: string): Promise<string | undefined> {
  try {
    return (await readFile(join(folder, fileName), 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Forgets the token of the remote. */
export function forgetToken(folder: string): Promise<void> {
  return rm(join(folder, fileName), { force: true })
}
