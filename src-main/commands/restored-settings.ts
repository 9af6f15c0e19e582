import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hasDatabase } from '../store/core/database-files'

/** The settings that say where data and files are: they belong to the books. All others belong to the machine. */
const ofBooks = /^OUTLAY_(DATABASE_URL$|BUCKET_)/

/**
 * Gives the settings of an unpacked backup, in `scratch`, those of this machine: its address, its secrets and its folders are not those of the
 * machine that made the backup. A folder without data takes all of them. Returns whether there are settings.
 */
export function keepOwnSettings({ folder, scratch }: { folder: string; scratch: string }): boolean {
  const path = join(scratch, 'settings.json')
  const own = readSettingsFile(join(folder, 'settings.json'))
  if (own === undefined && !hasDatabase(folder)) return existsSync(path)
  const picked = (settings: Readonly<Record<string, unknown>> = {}, isOfBooks: boolean) =>
    Object.entries(settings).filter(([name]) => ofBooks.test(name) === isOfBooks)
  const kept = Object.fromEntries([...picked(own, false), ...picked(readSettingsFile(path), true)])
  const isAny = own !== undefined || Object.keys(kept).length > 0
  if (isAny || existsSync(path)) writeFileSync(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  return isAny
}

function readSettingsFile(path: string): Record<string, unknown> | undefined {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
