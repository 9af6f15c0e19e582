import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hasDatabase } from '../store/core/database-files'

/** The settings for the location of data and files, which belong to a backup. All others belong to the machine. */
const ofBooks = /^OUTLAY_(DATABASE_URL$|BUCKET_)/

/**
 * Replaces the settings of an unpacked backup, in `scratch`, with this machine's: its address, secrets and folders differ from those of the machine
 * that made the backup. A folder without data keeps the backup's. Returns whether there are settings.
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
