import { z } from 'zod'
import { languages } from '#shared/domain/locales'
import { type DesktopState, preferenceChange } from './preferences'

const short = z.string().max(300)

/** An available command, for the native menus. `keys` as the interface writes them: `mod+k`, `g r`. */
const command = z.strictObject({ id: short, label: short, keys: z.string().max(40) })
const commandScope = z.strictObject({ scope: short, title: short, commands: z.array(command).max(100) })
export type CommandScope = z.infer<typeof commandScope>

/** A path of the interface, with its query. */
export const pagePath = z
  .string()
  .max(2000)
  .regex(/^\/(?![/\\])[^\\\s]*$/)

/** Every call from a page to the shell, with its argument (one object). Data always go over the API. Invalid arguments are rejected. */
export const calls = {
  /** The menus' content: every command of the screen, in the person's language. */
  'commands.publish': z.strictObject({ language: z.enum(languages), scopes: z.array(commandScope).max(30) }),
  /**
   * What tray, badge and taskbar show. `unread`: everything that waits for the person, of which `to_review` are expenses; `waiting`: operations to
   * send; `progress`: 0 to 1 during an exchange, otherwise null.
   */
  'state.publish': z.strictObject({
    unread: z.int().nonnegative(),
    to_review: z.int().nonnegative(),
    waiting: z.int().nonnegative(),
    sync: z.enum(['none', 'up_to_date', 'syncing', 'offline', 'stopped']),
    progress: z.number().min(0).max(1).nullable(),
  }),
  'desktop.show': z.strictObject({}),
  'preferences.change': preferenceChange,
  /** Asks the person for a folder in the system's dialog. */
  'watched_folder.choose': z.strictObject({}),
  'watched_folder.stop': z.strictObject({}),
  /** Opens the window of quick capture, or brings it to the front. */
  'quick_capture.open': z.strictObject({}),
  'quick_capture.close': z.strictObject({}),
  'main.open': z.strictObject({ path: pagePath }),
  /** Sets or enters the passphrase for the remote's token. */
  'secret.unlock': z.strictObject({ passphrase: z.string().min(1).max(1000) }),
  /** The page noticed that the network is back; the main process gets no such event. */
  'network.back': z.strictObject({}),
  'updates.look': z.strictObject({}),
} as const
export type Calls = typeof calls
export type CallName = keyof Calls
export type CallArgument<Name extends CallName> = z.output<Calls[Name]>

/** What each call returns. */
export interface CallResponses {
  'commands.publish': null
  'state.publish': null
  'desktop.show': DesktopState
  'preferences.change': DesktopState
  'watched_folder.choose': DesktopState
  'watched_folder.stop': DesktopState
  'quick_capture.open': null
  'quick_capture.close': null
  'main.open': null
  'secret.unlock': { readonly kind: 'open' | 'wrong' }
  'network.back': null
  'updates.look': { readonly kind: 'none' | 'downloading' | 'failed' | 'unavailable' }
}

/** The events that the shell sends to pages. */
export interface Events {
  /** A menu command was chosen. */
  readonly command: { readonly scope: string; readonly id: string }
  /** The page should open a path: from a deep link, a notification, or the tray. */
  readonly open: { readonly path: string }
  /** The desktop's state has changed. */
  readonly changed: Record<string, never>
  /** The computer woke up, or a network returned: waiting work may continue. */
  readonly woke: Record<string, never>
}
export type EventName = keyof Events

/** The longest argument of a call, as JSON; larger data go over the API. */
export const longestArgument = 64 * 1024
