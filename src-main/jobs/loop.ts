import { setImmediate as nextTurn } from 'node:timers/promises'
import { Stopping } from '#main/lifetime'
import { inSpan } from '#main/spans'
import { isReplica } from '#main/store/sync/replica-state'
import type { Store } from '#main/store/core/store'

/** Background work: it is woken when there may be something to do. */
export interface Job {
  wake(): void
  /** Ends after the piece of work that runs just now. */
  close(): Promise<void>
}

/** What one round of work returns: whether more may be waiting already, or in how many milliseconds to look again. */
export type Round = { readonly kind: 'again' } | { readonly kind: 'later'; readonly afterMs: number }

/** How long a job rests when nothing wakes it: another process may have written to the folder. */
const restMs = 5_000
/** How soon a server takes the work of one that has ended. */
const takeOverMs = 1_000

/**
 * Runs rounds of work, never two at once, and of several servers on one; a round that throws is reported and tried again after a rest. On a replica there are
 * none, unless the work `isLocal`: what leaves an instance leaves the remote.
 */
export function createLoop(
  { store, name, isLocal = false }: { readonly store: Store; readonly name: string; readonly isLocal?: boolean },
  work: () => Promise<Round>,
  report: (error: unknown) => void,
): Job {
  const silent: Round = { kind: 'later', afterMs: restMs }
  const elsewhere: Round = { kind: 'later', afterMs: takeOverMs }
  const look = async () => {
    if ((await store.peers?.takeWork(name)) === false) return elsewhere
    return !isLocal && (await isReplica(store.reader)) ? silent : work()
  }
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let isClosed = false
  const sleep = (afterMs: number): void => {
    if (isClosed) return
    timer = setTimeout(wake, Math.max(0, Math.min(afterMs, restMs)))
    timer.unref()
  }
  const run = async (): Promise<void> => {
    let next: Round = { kind: 'again' }
    while (!isClosed && (next.kind === 'again' || isWanted)) {
      isWanted = false
      try {
        next = await inSpan(`job ${name}`, { isRoot: true }, look)
        // Rounds that only read the database would otherwise keep all requests waiting.
        await nextTurn()
      } catch (error) {
        // The file that was read is read at the next start.
        if (!(error instanceof Stopping)) report(error)
        next = { kind: 'later', afterMs: restMs }
        break
      }
    }
    running = undefined
    sleep(next.kind === 'later' ? next.afterMs : 0)
  }
  function wake(): void {
    clearTimeout(timer)
    isWanted = true
    if (!isClosed) running ??= run()
  }
  return {
    wake,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}
