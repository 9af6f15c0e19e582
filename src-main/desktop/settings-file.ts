import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Store from 'electron-store'
import { z } from 'zod'
import { preferencesSchema } from '#shared/desktop/preferences'
import { isDiskFull } from '#shared/domain/out-of-room'

const place = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive(), is_maximized: z.boolean() })
/** Where the window was when it was last closed. */
export type WindowPlace = z.infer<typeof place>

const schema = z.object({
  preferences: preferencesSchema.default(() => preferencesSchema.parse({})),
  window: place.nullable().default(null),
  /** A folder that the person chose in the system's dialog: no page can name one. */
  watched_folder: z.string().nullable().default(null),
})
/** What the shell remembers, in `desktop.json` of the data folder; nothing of it is anyone's data. */
export type DesktopSettings = z.infer<typeof schema>

/** The settings of the shell: read once, written at each change under a temporary name. */
export interface SettingsFile {
  get<Key extends keyof DesktopSettings>(key: Key): DesktopSettings[Key]
  set<Key extends keyof DesktopSettings>(key: Key, value: DesktopSettings[Key]): void
  /** Where a file that could not be read was moved to; null when it could. */
  readonly set_aside: string | null
}

const name = 'desktop'

/** Opens the settings of a data folder. An unreadable file is kept under another name, never overwritten, and the start continues without it. */
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
        // On a full disk it holds until the end of the program.
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
