import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AccountKey, advancementKeys, readAccount, type ReadProgress } from '../../api/advancements'
import { type LedgerLine, toLedger } from './ledger'

/** The lines of an account once all of them are read, and until then how far it is. */
export type Ledger = {
  readonly lines: readonly LedgerLine[] | undefined
  readonly progress: ReadProgress | null
  /** They are being read again, so they may be older than the balance. */
  readonly isReading: boolean
  readonly error: Error | null
  readonly retry: () => void
}

/** Reads an account whole: a running balance is right only with every line before it. */
export function useLedger(account: AccountKey): Ledger {
  const [progress, setProgress] = useState<ReadProgress | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: advancementKeys.account(account),
    queryFn: async ({ signal }) => toLedger(await readAccount(account, { signal, onProgress: setProgress }), account.currency),
  })
  return { lines: data, progress, isReading: isFetching, error, retry: () => void refetch() }
}
