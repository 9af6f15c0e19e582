import type { CallResponses, CallArgument, CallName, EventName, Events } from './bridge'

/** The channels for calls and events. */
export const callChannel = 'outlay:call'
export const eventChannel = 'outlay:event'

/** The API of the preload script in pages, as `window.outlayDesktop`. */
export interface DesktopBridge {
  readonly platform: string
  call<Name extends CallName>(name: Name, argument: CallArgument<Name>): Promise<CallResponses[Name]>
  /** Adds a listener; returns a function that removes it. */
  on<Name extends EventName>(name: Name, listener: (event: Events[Name]) => void): () => void
}
