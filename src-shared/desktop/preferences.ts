import { z } from 'zod'
import { languages } from '#shared/domain/locales'

/** How the desktop application behaves on this computer; kept in `desktop.json`. */
export const preferencesSchema = z.object({
  /** The language of menus and messages: the last one that the interface was shown in. */
  language: z.enum(languages).nullable().default(null),
  opens_at_login: z.boolean().default(false),
  /** Closing the window leaves Outlay in the tray. */
  stays_in_tray: z.boolean().default(false),
  /** An accelerator of Electron's for quick capture from anywhere; null: none. */
  capture_shortcut: z
    .string()
    .max(60)
    .regex(/^[\w+]+$/)
    .nullable()
    .default('CommandOrControl+Shift+E'),
  shows_notifications: z.boolean().default(true),
  /** The API is served on a loopback port, to holders of a token. */
  serves_local_api: z.boolean().default(false),
  looks_for_updates: z.boolean().default(true),
  /** The place where a picture was taken stays in the file. */
  keeps_location: z.boolean().default(false),
})
export type DesktopPreferences = z.infer<typeof preferencesSchema>

/** Settings that the interface may change directly; those that need a person's choice outside it (a folder) have separate calls. */
export const preferenceChange = z.strictObject({
  opens_at_login: z.boolean().optional(),
  stays_in_tray: z.boolean().optional(),
  capture_shortcut: preferencesSchema.shape.capture_shortcut.unwrap().optional(),
  shows_notifications: z.boolean().optional(),
  serves_local_api: z.boolean().optional(),
  looks_for_updates: z.boolean().optional(),
  keeps_location: z.boolean().optional(),
})
export type PreferenceChange = z.infer<typeof preferenceChange>

/**
 * How the remote's token is kept: by the system's keyring, or where that would keep it in plain text, under a passphrase; `locked`
 * until it is typed, `unset` until one is chosen.
 */
export type SecretState = 'keyring' | 'passphrase' | 'locked' | 'unset'

/** Why a folder is not being watched, or which file of it was not taken and why. */
export type WatchProblem =
  | { readonly kind: 'missing' | 'unreadable' | 'not_movable' }
  | { readonly kind: 'refused'; readonly file_name: string; readonly message: string }

/** The desktop as its settings show it. */
export interface DesktopState {
  readonly preferences: DesktopPreferences
  /** The folder whose new files are captured; null: none. */
  readonly watched_folder: string | null
  readonly watch_problem: WatchProblem | null
  /** The address of the local API; null while it is off. */
  readonly local_api_url: string | null
  readonly secret: SecretState
  /** Whether this build can update itself at all. */
  readonly can_update: boolean
  /** The global shortcut is in use by another program. */
  readonly is_shortcut_taken: boolean
}
