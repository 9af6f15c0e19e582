import { EventEmitter } from 'node:events'

/** A call of something that shows outside the program: a dialog, a menu, a notification. */
export interface RecordedCall {
  readonly what: string
  readonly args: readonly unknown[]
}

/** What specs read and steer (`app.evaluate(({ standIn }) => …)`). */
export const standIn = {
  /** Everything shown, in order. */
  calls: [] as RecordedCall[],
  /** What the next dialogs answer, in order; without one a dialog is cancelled. */
  dialogAnswers: [] as unknown[],
  /** What the person and the system do: `key:<accelerator>`, `notification` with the one shown. */
  native: new EventEmitter(),
  /** Requests of a page to anything but the application. */
  outside: [] as string[],
  /** The newest tray and the notifications, for clicking on them. */
  trays: [] as unknown[],
  notifications: [] as unknown[],
  /** Handlers that the session was given, by name; null: none was. */
  handlers: {} as Record<string, unknown>,
}

/** Notes a call. */
export function record(what: string, ...args: unknown[]): void {
  standIn.calls.push({ what, args })
}
