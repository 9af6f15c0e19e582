import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { compiledFolder } from './folders'
import { version } from './version'

const ofOthers = 0o077

/**
 * Keeps the compiled code of all modules loaded from now on, for the next start. Code from this folder runs unchecked, so it is used only if no other
 * user can write to it. Failures are ignored: the start is only slower.
 */
export function keepCompiledCode(folder = join(compiledFolder, version)): void {
  // Node already uses the operator's folder.
  if (process.env.NODE_COMPILE_CACHE !== undefined) return
  try {
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) removeOtherVersions(folder)
    if (isPrivate(folder)) enableCompileCache(folder)
  } catch {
    // The folder cannot be written: the code is compiled again.
  }
}

function isPrivate(folder: string): boolean {
  const { mode, uid } = lstatSync(folder)
  // Windows has another permission model: the folder is in the user's profile.
  return process.getuid === undefined || (uid === process.getuid() && (mode & ofOthers) === 0)
}

function removeOtherVersions(folder: string): void {
  const versions = join(folder, '..')
  for (const name of readdirSync(versions)) if (name !== version) rmSync(join(versions, name), { recursive: true, force: true })
}
