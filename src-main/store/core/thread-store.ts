import { systemClock } from '#main/clock'
import type { ThreadSide } from '#main/processes/serve-thread'
import { type ThreadOptions, type ThreadWork, runInThread } from '#main/processes/thread'
import { type AwayOutcome, DatabaseAway, DatabaseError } from './database-error'
import { Store } from './store'

/** Where the data are that a thread works on. */
export interface StorePlace {
  readonly data_folder: string
  readonly database_url: string | undefined
}

/** What comes of work on a store. An error's class does not leave a thread: a database that could not be reached is said in words. */
type Reached<T> = { readonly kind: 'reached'; readonly value: T } | { readonly kind: 'away'; readonly outcome: AwayOutcome }

/**
 * As `runInThread`, for a task with a separate connection to the database of `store`. What it writes, it writes in turn with this process:
 * other writers wait for one transaction at most. Throws {@link DatabaseAway} too.
 */
export async function runWithStore<Outcome, Progress = never>(
  store: Pick<Store, 'lend'>,
  work: ThreadWork & { readonly task: StorePlace },
  options: ThreadOptions<Progress>,
): Promise<Outcome> {
  const reached = await runInThread<Reached<Outcome>, Progress>(work, { ...options, lend: (write) => store.lend(write) })
  if (reached.kind === 'away') throw new DatabaseAway(reached.outcome)
  return reached.value
}

/** The thread's side: opens the database for as long as `work` takes. */
export async function withOwnStore<T>({ data_folder, database_url }: StorePlace, work: (store: Store) => Promise<T>): Promise<Reached<T>> {
  try {
    const store = await Store.open(data_folder, { clock: systemClock, isOwner: false, cacheMb: 32, database_url })
    try {
      return { kind: 'reached', value: await work(store) }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof DatabaseAway) return { kind: 'away', outcome: error.outcome }
    if (error instanceof DatabaseError && error.kind === 'unreachable') return { kind: 'away', outcome: 'unchanged' }
    throw error
  }
}

/** A store of a thread that writes each transaction in its turn. */
export function inTurns(store: Store, { takeTurn }: ThreadSide): Pick<Store, 'reader' | 'isFile' | 'transact'> {
  const { reader, isFile } = store
  return { reader, isFile, transact: (actor, write) => takeTurn(() => store.transact(actor, write)) }
}
