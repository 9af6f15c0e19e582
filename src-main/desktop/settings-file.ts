import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Store from 'electron-store'
import { z } from 'zod'
import { preferencesSchema } from '#shared/desktop/preferences'
import { isDiskFull } from '#shared/domain/out-of-room'

const place = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive(), is_maximized: z.boolean() })
/** The window's position when it was last closed. */
export type WindowPlace = z.infer<typeof place>

const schema = z.object({
  preferences: preferencesSchema.default(() => preferencesSchema.parse({})),
  window: place.nullable().default(null),
  /** A folder that the person chose in the system's dialog: no page can set it. */
  watched_folder: z.string().nullable().default(null),
})
/** The shell's settings, in `desktop.json` of the data folder, without user data. */
export type DesktopSettings = z.infer<typeof schema>

/** The shell's settings: read once, written on each change under a temporary name. */
export interface SettingsFile {
  get<Key extends keyof DesktopSettings>(key: Key): DesktopSettings[Key]
  set<Key extends keyof DesktopSettings>(key: Key, value: DesktopSettings[Key]): void
  /** Where an unreadable file was moved to; null if it was readable. */
  readonly set_aside: string | null
}

const name = 'desktop'

/** Opens the settings of a data folder. An unreadable file is kept under another name, and the start continues without it. */
export function openSettingsFile(folder: string, now: Date): SettingsFile {
  const path = join(folder, `${name}.json`)
  const set_aside = isReadable(path) ? null : setAside(path, now)
  const store = new Store<Record<string, unknown>>({ name, cwd: folder })
  const parsed = schema.parse(store.store)
  return {
    set_aside,
    get: (key) => parsed[key],
    set: (key, value) => {
      parsed[key] = value
      try {
        store.set(key, value)
      } catch (error) {
        // On a full disk the change lasts until the program ends.
        if (!isDiskFull(error)) throw error
      }
    },
  }
}

function isReadable(path: string): boolean {
  if (!existsSync(path)) return true
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).success
  } catch {
    return false
  }
}

function setAside(path: string, now: Date): string {
  const aside = path.replace(/\.json$/, `.damaged-${now.toISOString().replaceAll(/\W/g, '')}.json`)
  renameSync(path, aside)
  return aside
}
