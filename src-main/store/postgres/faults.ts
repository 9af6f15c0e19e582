import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseAway } from '../core/database-error'

/** A connection ends, cannot be made, or no longer takes writes, as a standby does not. */
const away = /^(08|57P0|53300|25006|25P0[34])/
/** The statement waited for others for too long, or stood in their way: nothing of its transaction is kept. */
const inTheWay = /^(40001|40P01|55P03)$/

/** How long a request waits for a database that is away: it may only be restarting. */
const patienceMs = 5_000
const firstPauseMs = 25
const longestPauseMs = 400

/** Whether an error says that the connection is of no use any more. What is no answer of the database comes from the connection. */
export function isConnectionFault(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return away.test(error.code ?? '')
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError || error instanceof DatabaseAway)
}

/** Whether trying again may help, when nothing was committed. */
export function isPassing(error: unknown): boolean {
  return isConnectionFault(error) || (error instanceof pg.DatabaseError && inTheWay.test(error.code ?? ''))
}

/** A fault of the connection as callers know it; other errors as they are. `outcome`: what became of what they asked for. */
export function asAway(error: unknown, outcome: 'unchanged' | 'unknown' = 'unchanged'): unknown {
  return isPassing(error) ? new DatabaseAway(outcome, { cause: error }) : error
}

let retried = 0

/** How often this process has tried something again since it began. */
export function retries(): number {
  return retried
}

/** When the request began that is handled. */
const requests = new AsyncLocalStorage<number>()
/** Since when nothing has succeeded in this process, which has one database; undefined: the last did. */
let awaySinceMs: number | undefined

/** Runs the work of a request: it waits for a database that is away once, however often it asks, and whatever others asked before it. */
export function withOneDeadline<T>(work: () => T, nowMs: number): T {
  return requests.run(nowMs, work)
}

/** Whether the database can be asked now. */
type Probe = () => Promise<boolean>

/**
 * Runs what changes nothing unless it succeeds, and again while the database is away. With a `probe` it also gives up what is not answered, once the
 * database has been away for as long. Throws {@link DatabaseAway}.
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

/** How often it is looked whether the database is there, while it has not answered. */
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
