import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { keyRoots } from '../api/keys'

/** What no change of a record changes. */
const unchanging = new Set<unknown>(['replica', 'health', 'setup', 'timezones', 'locales', 'expense-names'])

/** Expenses that someone else has changed, by uid, or any. */
export type ChangedExpenses = ReadonlySet<string> | 'all'

type Listener = (changed: ChangedExpenses) => Promise<void>
const listeners = new Set<Listener>()

/** Calls a listener, which keeps rows where they are, with the expenses that others have changed, until it is stopped. */
export function onExpensesChanged(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Has lists that keep their place read again what has changed, each row where it is; resolves when they have. */
export async function refreshRows(changed: ChangedExpenses): Promise<void> {
  await Promise.all([...listeners].map((listener) => listener(changed)))
}

/** Reads again what is shown under these keys; resolves when it has. */
export async function refreshKeys(client: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
}

/** Reads everything shown again, because something outside this page changed it; unchanged data stays the same object. */
export function refreshShown(client: QueryClient): void {
  void refreshRows('all')
  void client.invalidateQueries({ predicate: ({ queryKey }) => !unchanging.has(queryKey[0]) })
}

/** Forgets what was read and reads what is shown again: the person may see other records than before. */
export function forgetShown(client: QueryClient): void {
  void refreshRows('all')
  void client.resetQueries({ predicate: ({ queryKey }) => !unchanging.has(queryKey[0]) && queryKey[0] !== keyRoots.session[0] })
}
