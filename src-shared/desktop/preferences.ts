import { z } from 'zod'
import { languages } from '#shared/domain/locales'

/** The desktop application's settings on this computer, stored in `desktop.json`. */
export const preferencesSchema = z.object({
  /** The language of menus and messages: the interface's last one. */
  language: z.enum(languages).nullable().default(null),
  opens_at_login: z.boolean().default(false),
  /** Closing the window keeps Outlay in the tray. */
  stays_in_tray: z.boolean().default(false),
  /** An Electron accelerator for quick capture from anywhere; null: none. */
  capture_shortcut: z
    .string()
    .max(60)
    .regex(/^[\w+]+$/)
    .nullable()
    .default('CommandOrControl+Shift+E'),
  shows_notifications: z.boolean().default(true),
  /** Serves the API on a loopback port, for holders of a token. */
  serves_local_api: z.boolean().default(false),
  looks_for_updates: z.boolean().default(true),
  /** Keeps the location of pictures in the file. */
  keeps_location: z.boolean().default(false),
})
export type DesktopPreferences = z.infer<typeof preferencesSchema>

/** Settings that the interface may change directly; those chosen outside it (a folder) have separate calls. */
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
 * How the remote's token is stored: in the system's keyring, or under a passphrase if the keyring would store plain text; `locked` until it is
 * entered, `unset` until one is chosen.
 */
export type SecretState = 'keyring' | 'passphrase' | 'locked' | 'unset'

/** Why a folder is not being watched, or which of its files was not captured and why. */
export type WatchProblem =
  | { readonly kind: 'missing' | 'unreadable' | 'not_movable' }
  | { readonly kind: 'refused'; readonly file_name: string; readonly message: string }

/** The desktop's state in its settings. */
export interface DesktopState {
  readonly preferences: DesktopPreferences
  /** The folder whose new files are captured; null: none. */
  readonly watched_folder: string | null
  readonly watch_problem: WatchProblem | null
  /** The address of the local API; null while off. */
  readonly local_api_url: string | null
  readonly secret: SecretState
  /** Whether this build can update itself. */
  readonly can_update: boolean
  /** Whether another program uses the global shortcut. */
  readonly is_shortcut_taken: boolean
}
