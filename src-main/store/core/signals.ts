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
 * A change of state that pages show but that is not in the change log: of one user, one organization, or the whole instance. `all`: signals may have
 * been missed.
 */
export type Signal = Readonly<z.output<typeof signalSchema>>

/** Passes signals to the current listeners; keeps nothing for later. */
export interface Signals {
  emit(signal: Signal): void
  /** Passes another server's signal to the listeners of this one. */
  take(signal: Signal): void
  /** Calls `listener` for each signal until the returned function is called. */
  on(listener: (signal: Signal) => void): () => void
}

/** Makes the signals of a store. `pass` sends local signals to other servers. */
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
