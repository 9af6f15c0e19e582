import type { CallResponses, CallArgument, CallName, EventName, Events } from './bridge'

/** The one channel of each direction. */
export const callChannel = 'outlay:call'
export const eventChannel = 'outlay:event'

/** What the preload puts into a page as `window.outlayDesktop`. */
export interface DesktopBridge {
  readonly platform: string
  call<Name extends CallName>(name: Name, argument: CallArgument<Name>): Promise<CallResponses[Name]>
  /** Listens; returns what stops it. */
  on<Name extends EventName>(name: Name, listener: (event: Events[Name]) => void): () => void
}
