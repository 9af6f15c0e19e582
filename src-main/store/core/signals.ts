import { z } from 'zod'

const ofUser = ['captures', 'api_tokens', 'browser_sessions', 'passkeys', 'recovery_codes', 'exports'] as const
const ofOrganization = ['imports', 'webhook_deliveries', 'handovers', 'audit'] as const

/** A {@link Signal} as one server passes it on to another. */
export const signalSchema = z.discriminatedUnion('topic', [
  z.object({ topic: z.enum(['replica', 'recoveries', 'all']) }),
  z.object({ topic: z.enum(ofUser), user_id: z.int() }),
  z.object({ topic: z.enum(ofOrganization), organization_id: z.int() }),
])

/**
 * State that pages show and no record of the change log holds has changed: one user's, one organization's, or the whole instance's. `all`: signals
 * may have been missed.
 */
export type Signal = Readonly<z.output<typeof signalSchema>>

/** Passes signals on to those who listen now; nothing is kept for later. */
export interface Signals {
  emit(signal: Signal): void
  /** Passes a signal of another server on to those who listen here. */
  take(signal: Signal): void
  /** Calls `listener` for each signal until what is returned is called. */
  on(listener: (signal: Signal) => void): () => void
}

/** Makes the signals of a store. `pass`: passes what is emitted here on to other servers. */
export function createSignals(pass?: (signal: Signal) => void): Signals {
  const listeners = new Set<(signal: Signal) => void>()
  const take = (signal: Signal) => {
    for (const listener of listeners) listener(signal)
  }
  return {
    take,
    emit: (signal) => {
      take(signal)
      pass?.(signal)
    },
    on: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
