import type { QueryClient } from '@tanstack/react-query'
import { useFrame } from './frame'

/** What no change of a record changes. */
const unchanging = new Set<unknown>(['replica', 'health', 'setup', 'timezones', 'locales', 'expense-names'])

/** Reads everything that is shown again, because something outside this page changed it; what is the same stays the same object. */
export function refreshShown(client: QueryClient): void {
  useFrame.setState(({ syncTurn }) => ({ syncTurn: Math.max(syncTurn, 1) + 1 }))
  void client.invalidateQueries({ predicate: ({ queryKey }) => !unchanging.has(queryKey[0]) })
}
