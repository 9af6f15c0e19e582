import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseAway } from '../core/database-error'

/** The connection ended, could not be made, or takes no writes (a standby). */
const away = /^(08|57P0|53300|25006|25P0[34])/
/** The statement waited too long for other transactions or deadlocked with one; its transaction is rolled back. */
const inTheWay = /^(40001|40P01|55P03)$/

/** How long a request waits for a database that is away: it may be restarting. */
const patienceMs = 5_000
const firstPauseMs = 25
const longestPauseMs = 400

/** Whether an error makes the connection unusable. Every error that is not a response of the database comes from the connection. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return away.test(error.code ?? '')
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError || error instanceof DatabaseAway)
}

/** Whether a retry may help, if nothing was committed. */
export function isPassing(error: unknown): boolean {
  return isConnectionFault(error) || (error instanceof pg.DatabaseError && inTheWay.test(error.code ?? ''))
}

/** Turns a connection fault into the error that callers know; returns other errors unchanged. `outcome`: what happened to the request. */
export function asAway(error: unknown, outcome: 'unchanged' | 'unknown' = 'unchanged'): unknown {
  return isPassing(error) ? new DatabaseAway(outcome, { cause: error }) : error
}

let retried = 0

/** How often this process has retried something since it started. */
export function retries(): number {
  return retried
}

/** The start of the request that is being handled. */
const requests = new AsyncLocalStorage<number>()
/** Since when nothing has succeeded in this process, which has one database; undefined if the last call succeeded. */
let awaySinceMs: number | undefined

/** Runs a request's work with one deadline for a database that is away, however many queries it makes. */
export function withOneDeadline<T>(work: () => T, nowMs: number): T {
  return requests.run(nowMs, work)
}

/** Whether the database can be queried now. */
type Probe = () => Promise<boolean>

/**
 * Runs work that changes nothing unless it succeeds, and retries while the database is away. With a `probe`, also gives up on a query without a
 * response once the database has been away that long. Throws {@link DatabaseAway}.
 */
export async function persist<T>(work: () => Promise<T>, nowMs: () => number, probe?: Probe): Promise<T> {
  const begunMs = requests.getStore() ?? nowMs()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const triedMs = nowMs()
    const until = Math.max(begunMs, awaySinceMs ?? triedMs) + patienceMs
    try {
      const result = await (probe ? whilePresent(work(), { until, nowMs, probe }) : work())
      awaySinceMs = undefined
      return result
    } catch (error) {
      if (!isPassing(error) && !(error instanceof DatabaseAway)) throw error
      awaySinceMs ??= triedMs
      if (nowMs() >= until) throw asAway(error)
      retried += 1
      await sleep(pauseMs)
    }
  }
}

/** How often to probe the database while it does not respond. */
const lookMs = 500

async function whilePresent<T>(
  work: Promise<T>,
  { until, nowMs, probe }: { until: number; nowMs: () => number; probe: Probe },
): Promise<T> {
  const waiting = Symbol('waiting')
  for (;;) {
    const looking = new AbortController()
    const pause = sleep(lookMs, waiting, { signal: looking.signal, ref: false }).catch(() => waiting)
    const found = await Promise.race([work, pause]).finally(() => looking.abort())
    if (found !== waiting) return found as T
    if (nowMs() >= until && !(await probe())) {
      work.catch(() => undefined)
      throw new DatabaseAway('unchanged')
    }
  }
}
