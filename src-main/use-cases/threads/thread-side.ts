import { once } from 'node:events'
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import { systemClock } from '#main/clock'
import { type AwayOutcome, DatabaseAway, DatabaseError } from '#main/store/core/database-error'
import { Store } from '#main/store/core/store'
import { passTask } from '../imports/run-pass'
import { statementTask } from '../statements/statement-task'

/** What a thread may be asked for. */
export const threadTask = z.discriminatedUnion('kind', [passTask, statementTask])
export type ThreadTask = z.infer<typeof threadTask>

/** What a thread says to who started it. */
export type FromThread<Outcome> =
  /** It would write the next batch, and waits to be told to. */
  | { readonly kind: 'waiting' }
  /** The batch is written, or undone. */
  | { readonly kind: 'written' }
  | { readonly kind: 'progress'; readonly done: number }
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  /** The database could not be reached. */
  | { readonly kind: 'away'; readonly outcome: AwayOutcome }

/** Says something to who started the thread. */
export function say<Outcome>(message: FromThread<Outcome>): void {
  parentPort?.postMessage(message)
}

/** A separate connection that writes in turns, as long as `work` takes. A database that is away is said: an error's class does not leave a thread. */
export async function withStoreInTurns(...[task, work]: Parameters<typeof workInTurns>): Promise<void> {
  try {
    await workInTurns(task, work)
  } catch (error) {
    if (error instanceof DatabaseAway) return say({ kind: 'away', outcome: error.outcome })
    if (error instanceof DatabaseError && error.kind === 'unreachable') return say({ kind: 'away', outcome: 'unchanged' })
    throw error
  }
}

async function workInTurns(
  { data_folder, database_url }: Pick<ThreadTask, 'data_folder' | 'database_url'>,
  work: (store: Pick<Store, 'reader' | 'isFile' | 'transact'>) => Promise<void>,
): Promise<void> {
  const store = await Store.open(data_folder, { clock: systemClock, isOwner: false, cacheMb: 32, database_url })
  try {
    await work({
      ...{ reader: store.reader, isFile: store.isFile },
      transact: async (actor, write) => {
        if (parentPort === null) throw new Error('Nobody gives the worker its turn.')
        const told = once(parentPort, 'message')
        say({ kind: 'waiting' })
        await told
        return store.transact(actor, write).finally(() => say({ kind: 'written' }))
      },
    })
  } finally {
    await store.close()
  }
}
