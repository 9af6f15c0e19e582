import type { FeedTopic } from '#shared/contract/instance/feed'

/** State that pages show and no record of the change log holds has changed: one user's, one organization's, or the whole instance's. */
export type Signal =
  | { readonly topic: Extract<FeedTopic, 'replica' | 'recoveries'> }
  | { readonly topic: Extract<FeedTopic, 'captures' | 'api_tokens' | 'browser_sessions' | 'exports'>; readonly user_id: number }
  | { readonly topic: Extract<FeedTopic, 'imports' | 'webhook_deliveries' | 'handovers' | 'audit'>; readonly organization_id: number }

/** Passes signals on to those who listen now; nothing is kept for later. */
export interface Signals {
  emit(signal: Signal): void
  /** Calls `listener` for each signal until what is returned is called. */
  on(listener: (signal: Signal) => void): () => void
}

/** Makes the signals of a store. */
export function createSignals(): Signals {
  const listeners = new Set<(signal: Signal) => void>()
  return {
    emit: (signal) => {
      for (const listener of listeners) listener(signal)
    },
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
