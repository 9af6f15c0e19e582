import { systemClock } from '../clock'
import { defaultDataFolder } from '../config/settings'
import { hasDatabase } from '../store/database'
import { type Actor, Store } from '../store/store'

/** The command was called wrongly; the message is the one line that says how to call it (exit 2). */
export class CallRefused extends Error {}
/** The work failed; the message says what to do (exit 1). */
export class WorkFailed extends Error {}

/** The data folder that a command works on. */
export function dataFolderOf({ data }: { data?: string }): string {
  return data ?? defaultDataFolder(process.env)
}

/** Runs a command's work on the store of an existing data folder, also while a server runs on it, and closes it. */
export async function withStore<T>(options: { data?: string }, work: (store: Store) => Promise<T>): Promise<T> {
  const folder = dataFolderOf(options)
  if (!hasDatabase(folder)) throw new WorkFailed(`There is no Outlay data in ${folder}. Make it with "outlay init" or "outlay demo".`)
  const store = await Store.open(folder, { clock: systemClock, isOwner: false })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/** The command line as the audit trail names it, on behalf of a user. */
export function cliActor(user_id: number): Actor {
  return { user_id, origin: 'cli', request_id: null, if_match: null }
}

/** A command's result: one JSON value on standard output. */
export function print(result: unknown): void {
  process.stdout.write(`${JSON.stringify(result)}\n`)
}
