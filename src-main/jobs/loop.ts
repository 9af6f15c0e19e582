import { setImmediate as nextTurn } from 'node:timers/promises'
import { Stopping } from '#main/lifetime'
import { inSpan } from '#main/spans'
import { isReplica } from '#main/store/sync/replica-state'
import type { Store } from '#main/store/core/store'

/** Background work that is woken when there may be something to do. */
export interface Job {
  wake(): void
  /** Ends after the current piece of work. */
  close(): Promise<void>
}

/** The result of a round: more may be waiting, or when to look again, in milliseconds. */
export type Round = { readonly kind: 'again' } | { readonly kind: 'later'; readonly afterMs: number }

/** How long a job rests if nothing wakes it: another process may have written to the folder. */
const restMs = 5_000
/** How soon a server takes over the work of one that has ended. */
const takeOverMs = 1_000

/**
 * Runs rounds of work, never two at once, and on one of several servers. A round that throws is reported and retried after a rest. A replica runs
 * only `isLocal` work: what leaves an instance leaves from its remote.
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
        // Rounds that only read the database would otherwise block all requests.
        await nextTurn()
      } catch (error) {
        // The interrupted file is read at the next start.
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
