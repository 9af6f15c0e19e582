import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '#main/clock'

/** How long the thread is held before others get their turn. */
const turnMs = 5

/** Gives others their turn on the thread when it was held for a few milliseconds; called often. */
export function createTurns(clock: Clock): () => Promise<void> {
  let turn = clock.monotonicMs()
  return async () => {
    if (clock.monotonicMs() - turn < turnMs) return
    await nextTurn()
    turn = clock.monotonicMs()
  }
}
