import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { sessionKey } from '../api/session'
import { useFrame } from './frame'

/** What no change of a record changes. */
const unchanging = new Set<unknown>(['replica', 'health', 'setup', 'timezones', 'locales', 'expense-names'])

/** Has lists that keep their place read again what is in view, each row where it is. */
export function refreshRows(): void {
  useFrame.setState(({ syncTurn }) => ({ syncTurn: Math.max(syncTurn, 1) + 1 }))
}

/** Reads again what is shown under these keys. */
export function refreshKeys(client: QueryClient, keys: readonly QueryKey[]): void {
  for (const queryKey of keys) void client.invalidateQueries({ queryKey })
}

/** Reads everything shown again, because something outside this page changed it; unchanged data stays the same object. */
export function refreshShown(client: QueryClient): void {
  refreshRows()
  void client.invalidateQueries({ predicate: ({ queryKey }) => !unchanging.has(queryKey[0]) })
}

/** Forgets what was read and reads what is shown again: the person may see other records than before. */
export function forgetShown(client: QueryClient): void {
  refreshRows()
  void client.resetQueries({ predicate: ({ queryKey }) => !unchanging.has(queryKey[0]) && queryKey[0] !== sessionKey[0] })
}
