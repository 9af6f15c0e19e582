import type { Logger } from 'pino'
import { toInstant } from '#shared/domain/dates'
import type { Clock } from '#main/clock'
import { noteTokenUse } from '#main/store/records/users/user-writer'
import type { Store } from '#main/store/core/store'

/** Stores when API tokens were last used. */
export interface TokenUses {
  /** Notes that the token with this hash is used now. */
  note(token_hash: string): void
  /** Stops; uses since the last write are lost. */
  close(): Promise<void>
}

/** How often uses are written, in milliseconds: writing with each request would cost more than the request. */
const usualMs = 5 * 60_000

/** Collects the uses of tokens and writes them once per interval, in one transaction. */
export function createTokenUses({
  store,
  clock,
  log,
  everyMs = usualMs,
}: {
  store: Pick<Store, 'transact'>
  clock: Clock
  log: Logger
  everyMs?: number
}): TokenUses {
  const uses = new Map<string, string>()
  const write = async () => {
    const noted = [...uses]
    uses.clear()
    if (noted.length === 0) return
    const actor = { user_id: 0, origin: 'app', request_id: null, if_match: null }
    await store.transact(actor, async (tx) => {
      for (const [token_hash, last_used_at] of noted) await noteTokenUse(tx, { token_hash, last_used_at })
    })
  }
  const timer = setInterval(() => {
    void write().catch((error: unknown) => log.warn({ err: error }, 'uses of tokens could not be written'))
  }, everyMs).unref()
  return { note: (token_hash) => void uses.set(token_hash, toInstant(clock.now())), close: () => Promise.resolve(clearInterval(timer)) }
}
