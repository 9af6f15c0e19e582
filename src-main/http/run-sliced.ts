import { setImmediate as nextTurn } from 'node:timers/promises'
import { translate } from '#shared/i18n/translations'
import type { Tx } from '#main/store/core/store'
import { createTurns } from '#main/clock'
import { type Command, actorOf } from './command'
import type { ServerDeps } from './endpoint'
import { type ApiResponse, findPassingFault, messageResponse } from './refusals'

/** How long one transaction keeps other writers waiting; each transaction costs a write to the disk. */
const sliceMs = 60

/** Steps to run in order. A step that throws undoes all steps of its transaction. */
interface Sliced<T> {
  readonly steps: ReadonlyArray<(tx: Tx) => Promise<T>>
  /**
   * The result of a step that failed for lack of disk space or database, after others were stored; without this function the error is thrown.
   * `response`: the error response.
   */
  readonly outOfRoom?: (response: ApiResponse, index: number) => T
}

/** Runs steps, several per transaction; returns their results. */
export async function runSliced<T>(
  deps: Pick<ServerDeps, 'store' | 'clock'>,
  command: Command,
  { steps, outOfRoom }: Sliced<T>,
): Promise<T[]> {
  const results: T[] = []
  while (results.length < steps.length) {
    const work = async (tx: Tx) => {
      const start = deps.clock.monotonicMs()
      const takeTurns = createTurns(deps.clock)
      const done: T[] = []
      for (const step of steps.slice(results.length)) {
        done.push(await step(tx))
        if (deps.clock.monotonicMs() - start > sliceMs) break
        await takeTurns()
      }
      return done
    }
    try {
      results.push(...(await deps.store.transact(actorOf(command), work)))
    } catch (error) {
      // The results of earlier slices are stored.
      const passing = findPassingFault(error)
      if (!outOfRoom || results.length === 0 || !passing) throw error
      const response = messageResponse(passing.status, translate(command.sender.locale, `errors:${passing.key}`))
      const stored = results.length
      return [...results, ...steps.slice(stored).map((_, index) => outOfRoom(response, stored + index))]
    }
    await nextTurn()
  }
  return results
}
