import type { Logger } from 'pino'
import type { Clock } from '#main/clock'
import { isReplica } from '#main/store/sync/replica-state'
import { listOperations } from '#main/store/sync/sync-journal'
import type { Store } from '#main/store/core/store'
import type { Replica } from './replica'

export interface Watching {
  readonly replica: Replica
  readonly store: Store
  readonly clock: Clock
  readonly log: Logger
  /** Called with the outcome of each exchange. */
  readonly onEnded?: (report: Awaited<ReturnType<Replica['sync']>>) => void
}

/** The interval of exchanges without any poke. */
const everyMs = 60_000
/** The first pause after a failure; doubles up to a minute, with jitter. */
const firstRetryMs = 1_000
/** How often to look for other processes' writes. */
const lookMs = 500
/** How long to collect commits before their operations are sent. */
const gatherMs = 50

/** Keeps a replica in step with its remote until closed: at once, after each write, when the remote pokes, and every minute. */
export function watchRemote(parts: Watching): { close(): Promise<void> } {
  const { replica, store, clock } = parts
  let isClosed = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  const listening = new AbortController()

  const schedule = (afterMs: number) => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(wake, afterMs)
  }
  const exchange = async () => {
    do {
      isWanted = false
      if (!(await isReplica(store.reader))) break
      failures = (await exchangeOnce(parts)) ? 0 : failures + 1
    } while (isWanted && !isClosed)
  }
  function wake(): void {
    clearTimeout(timer)
    isWanted = true
    if (isClosed) return
    running ??= exchange().finally(() => {
      running = undefined
      schedule(failures === 0 ? everyMs : backOff(failures, clock))
    })
  }
  const look = () => {
    if (running) return false
    void hasWaiting(store).then((has) => {
      if (has && !running) schedule(failures === 0 ? gatherMs : backOff(failures, clock))
    })
    return true
  }
  const stopWatching = watchCommits(store, look)
  replica.watched()
  const poked = replica.listen({ signal: listening.signal, onPoke: wake })
  wake()
  return {
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      stopWatching()
      listening.abort()
      await running
      await poked
    },
  }
}

/**
 * Calls `look` after each commit: of this process at once, of others on the folder soon. If `look` returns false, it is called again: a running
 * exchange may have missed the write.
 */
function watchCommits(store: Store, look: () => boolean): () => void {
  const stopListening = store.onCommit(look)
  let revision = store.revision()
  const looking = setInterval(() => {
    const current = store.revision()
    if (current !== revision && look()) revision = current
  }, lookMs)
  return () => {
    stopListening()
    clearInterval(looking)
  }
}

/** Whether the exchange reached the remote. */
async function exchangeOnce({ replica, log, onEnded }: Watching): Promise<boolean> {
  try {
    const result = await replica.sync()
    onEnded?.(result)
    return result.ended.kind !== 'offline'
  } catch (error) {
    log.error({ err: error }, 'the exchange with the remote failed')
    return false
  }
}

async function hasWaiting({ reader }: Store): Promise<boolean> {
  return (await isReplica(reader)) && (await listOperations(reader, 'pending', 1)).length > 0
}

function backOff(failures: number, clock: Clock): number {
  const jitter = Number.parseInt(clock.secret(2), 16) / 0xffff
  return Math.min(everyMs, firstRetryMs * 2 ** Math.min(failures - 1, 6)) * (0.5 + jitter / 2)
}
